"""SQLite FTS5 as a peer: reads pages and queries as JSON lines, answers ranks and times.

    python3 fts5.py DATABASE < input > output

Input lines: {"page": id, "title": ..., "text": ...}, then {"query": [words], "limit": n, "excerpts": bool, "times": n}.
Output: one line for each query: {"ids": [...], "micros": [one for each time]}; a first line tells version and build time.
"""
import json
import sqlite3
import sys
import time

database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA synchronous = OFF")
database.execute("CREATE VIRTUAL TABLE pages USING fts5(title, text, tokenize = 'unicode61 remove_diacritics 2')")
PLAIN = "SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 5.0, 1.0) LIMIT ?"
EXCERPT = (
    "SELECT rowid, snippet(pages, 1, '<b>', '</b>', '...', 24) FROM pages WHERE pages MATCH ? "
    "ORDER BY bm25(pages, 5.0, 1.0) LIMIT ?"
)
start = time.perf_counter()
count = 0
ready = False


for line in sys.stdin:
    request = json.loads(line)
    if "page" in request:
        database.execute(
            "INSERT INTO pages (rowid, title, text) VALUES (?, ?, ?)",
            (request["page"], request["title"], request["text"]),
        )
        count += 1
        continue
    if not ready:
        database.commit()
        print(json.dumps({"version": sqlite3.sqlite_version, "pages": count, "seconds": time.perf_counter() - start}))
        ready = True
    match = " AND ".join('"' + word.replace('"', '""') + '"' for word in request["query"])
    statement = EXCERPT if request["excerpts"] else PLAIN
    micros = []
    rows = []
    for _ in range(request["times"]):
        begun = time.perf_counter()
        rows = database.execute(statement, (match, request["limit"])).fetchall()
        micros.append((time.perf_counter() - begun) * 1e6)
    print(json.dumps({"ids": [row[0] for row in rows], "micros": micros}))
