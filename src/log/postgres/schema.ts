/**
 * Tables and functions of shared logs in a PostgreSQL database. `create` makes them. An operator can also run this text
 * with another role. The role of the nodes then needs `usage` on the schema and all rights on the rows of both tables.
 *
 *     log      one row for each log, its head: a change of the records locks it until the commit
 *     record   the records: their positions have no holes, since the head counts them
 *
 * Nodes of two versions may share a database during an upgrade: a changed function gets a new name.
 */

/** The log is not there. */
export const NO_LOG = 'WL001'
/** Somebody else has added records. */
export const TAKEN = 'WL002'
/** Channel of notifications. Their payload is the name of the log. */
export const CHANNEL = 'palimpsest'

/** Most records, and most of their bytes, that one statement reads or removes. */
export const STEP_RECORDS = 500
export const STEP_BYTES = 8 * 2 ** 20

const TABLES = `
create schema if not exists palimpsest;

create table if not exists palimpsest.log (
  name text primary key,
  epoch text not null,
  origin_sequence bigint not null,
  origin_digest text not null,
  first bigint not null,
  last bigint not null
) with (fillfactor = 10);

create table if not exists palimpsest.record (
  log text not null,
  sequence bigint not null,
  id uuid not null,
  time timestamptz not null default now(),
  bytes bytea not null,
  primary key (log, sequence),
  unique (id, log)
);

-- The bytes are deflated already.
alter table palimpsest.record alter column bytes set storage external;
`

/**
 * A function, since the search for repeats needs a new snapshot after the lock. It inserts first, and looks for repeats
 * only if an id is there already. It plans this search each time: sessions keep plans of functions, also those from a
 * time when the table was nearly empty.
 */
const APPEND = `
-- Adds records, and returns their positions. Repeats keep theirs. A record's bytes are a part of "joined".
-- With an expected last position, all records must be new, and come right after it.
create or replace function palimpsest.append(
  log_name text, ids uuid[], starts integer[], sizes integer[], joined bytea, expected bigint
) returns bigint[] language plpgsql as $$
declare
  head_last bigint;
  added bigint := cardinality(ids);
  positions bigint[];
begin
  select last into head_last from palimpsest.log where name = log_name for update;
  if not found then
    raise exception 'there is no log "%"', log_name using errcode = '${NO_LOG}';
  end if;
  if head_last <> expected then
    raise exception 'the log ends at %, not at %', head_last, expected using errcode = '${TAKEN}';
  end if;

  begin
    insert into palimpsest.record (log, sequence, id, bytes)
    select log_name, head_last + place, id, substring(joined from start for size)
    from unnest(ids, starts, sizes) with ordinality as offer (id, start, size, place);
    positions := array(select generate_series(head_last + 1, head_last + added));
  exception when unique_violation then
    if expected is not null then
      raise exception 'the log has some of the records already' using errcode = '${TAKEN}';
    end if;
    execute '${addNew()}' using log_name, ids, starts, sizes, joined, head_last;
    get diagnostics added = row_count;
    execute '${positionsOfIds()}' into positions using log_name, ids;
  end;

  if added > 0 then
    update palimpsest.log set last = head_last + added where name = log_name;
    perform pg_notify('${CHANNEL}', log_name);
  end if;
  return positions;
end $$;
`

/** Adds those of the records that are not in the log yet, each once. */
function addNew(): string {
  return `
      insert into palimpsest.record (log, sequence, id, bytes)
      select $1, $6 + row_number() over (order by place), id, substring($5 from start for size)
      from (
        select distinct on (id) id, start, size, place
        from unnest($2, $3, $4) with ordinality as offer (id, start, size, place)
        where not exists (select from palimpsest.record where record.id = offer.id and log = $1)
        order by id, place
      ) as fresh`
}

function positionsOfIds(): string {
  return `
      select array_agg(sequence order by place)
      from unnest($2) with ordinality as offer (id, place)
      join palimpsest.record on record.id = offer.id and log = $1`
}

const PRUNE = `
-- Removes the oldest records if they are older than a time: one step, never the newest record. Returns their number.
create or replace function palimpsest.prune(log_name text, before timestamptz)
returns bigint language plpgsql as $$
declare
  head_last bigint;
  cut bigint;
  removed bigint;
begin
  select last into head_last from palimpsest.log where name = log_name for update;
  if not found then
    raise exception 'there is no log "%"', log_name using errcode = '${NO_LOG}';
  end if;
  select max(sequence) into cut from (
    select sequence, bool_and(time < before) over upto as are_old,
      sum(octet_length(bytes)) over upto - octet_length(bytes) as bytes_before
    from (
      select sequence, time, bytes from palimpsest.record
      where log = log_name and sequence < head_last
      order by sequence limit ${STEP_RECORDS}
    ) as oldest
    window upto as (order by sequence)
  ) as step
  where are_old and bytes_before < ${STEP_BYTES};
  if cut is null then
    return 0;
  end if;
  delete from palimpsest.record where log = log_name and sequence <= cut;
  get diagnostics removed = row_count;
  update palimpsest.log set first = cut + 1 where name = log_name;
  return removed;
end $$;
`

const DROP = `
-- Removes a log with all its records.
create or replace function palimpsest.drop_log(log_name text) returns void language plpgsql as $$
begin
  perform from palimpsest.log where name = log_name for update;
  delete from palimpsest.record where log = log_name;
  delete from palimpsest.log where name = log_name;
end $$;
`

/** Puts records back at positions before the end of the log where there are none. Returns their positions. */
export const FILL = `
  with head as (select first, last from palimpsest.log where name = $1 for update)
  insert into palimpsest.record (log, sequence, id, bytes)
  select $1, place, id, substring($5::bytea from start for size)
  from head, unnest($6::bigint[], $2::uuid[], $3::integer[], $4::integer[]) as offer (place, id, start, size)
  where place between head.first and head.last
  on conflict (log, sequence) do nothing
  returning sequence`

/** Changes nothing where all is there already. */
export const SCHEMA = TABLES + APPEND + PRUNE + DROP
