/**
 * Fallback languages for missing messages: languages that readers of the first one are likely to know. English is
 * always last.
 */

const FALLBACKS = `
  ab:ru abs:id ace:id acm:ar ady:ady-cyrl aeb:aeb-arab aeb-arab:ar aln:sq alt:ru ami:zh-hant an:es anp:hi arn:es arq:ar
  ary:ar arz:ar ast:es atj:fr av:ru avk:fr,es,ru awa:hi ay:es azb:fa ba:ru ban:id ban-bali:ban,id bar:de bat-smg:sgs,lt
  bbc:bbc-latn,id bbc-latn:id bcc:fa be-tarask:be be-x-old:be-tarask,be bgn:fa bh:bho bjn:id blk:my bm:fr bpy:bn bqi:fa
  br:fr btm:id bug:id bxr:ru ca:oc cbk-zam:es cdo:nan,zh-hant ce:ru crh:crh-latn crh-cyrl:ru cs:sk csb:pl cv:ru
  de-at:de de-ch:de de-formal:de dsb:hsb,de dtp:ms dty:ne egl:it eml:egl,it es-419:es es-formal:es et:fi ext:es ff:fr
  fit:fi fiu-vro:vro,et frc:fr frp:fr frr:de fur:it gag:tr gan:gan-hant,zh-hant,zh-hans gan-hans:zh-hans
  gan-hant:zh-hant,zh-hans gcr:fr gl:pt glk:fa gn:es gom:gom-deva gom-deva:hi gor:id gsw:de guc:es hak:zh-hant hif:hif-latn
  hrx:de hsb:dsb,de hsn:zh-cn,zh-hans ht:fr hu-formal:hu hyw:hy ii:zh-cn,zh-hans ike-cans:iu inh:ru iu:ike-cans
  jam:en jut:da jv:id kaa:kk-latn,kk-cyrl kbd:kbd-cyrl kbp:fr kea:pt khw:ur kiu:tr kjp:my kk:kk-cyrl kk-arab:kk-cyrl
  kk-cn:kk-arab,kk-cyrl kk-kz:kk-cyrl kk-latn:kk-cyrl kk-tr:kk-latn,kk-cyrl kl:da ko-kp:ko koi:ru krc:ru krl:fi ks:ks-arab
  ksh:de ku:ku-latn ku-arab:ckb kum:ru kv:ru lad:es lb:de lbe:ru lez:ru,az li:nl lij:it liv:et lki:fa lld:it,rm,fur
  lmo:pms,eml,lij,vec,it ln:fr loz:en lrc:fa ltg:lv luz:fa lzh:zh-hant lzz:tr mad:id mai:hi map-bms:jv,id mdf:myv,ru
  mg:fr mhr:mrj,ru min:id mnw:my mo:ro mrj:mhr,ru ms-arab:ms mwl:pt myv:ru mzn:fa nah:es nan:cdo,zh-hant nap:it nb:no,da,nn
  nds:de nds-nl:nl nia:id nl-informal:nl nn:no,nb,da no:nb nrm:fr oc:ca,fr olo:fi os:ru pcd:fr pdc:de pdt:de pfl:de
  pih:en pms:it pnt:el pt:pt-br pt-br:pt qu:qug,es qug:qu,es rgn:it rmy:ro roa-rup:rup roa-tara:it rsk:sr-ec rue:uk,ru
  rup:ro ruq:ruq-latn,ro ruq-cyrl:mk ruq-latn:ro sa:hi sah:ru scn:it sdc:it sdh:cbk,ar se:nb,fi se-fi:se,nb,fi
  se-no:se,nb,nn,fi se-se:se,nb,sv ses:fr sg:fr sgs:lt sh:bs,sr-el,hr shi:shi-latn,fr shi-latn:shi,fr shi-tfng:shi,shi-latn,fr
  shy:shy-latn shy-latn:fr sjd:ru sk:cs skr:skr-arab skr-arab:skr sli:de smn:fi sr:sr-ec sr-ec:sr sr-el:sr srn:nl stq:de
  sty:ru su:id szl:pl szy:zh-tw,zh-hant tay:zh-tw,zh-hant tcy:kn tet:pt tg:tg-cyrl trv:zh-tw,zh-hant tt:tt-cyrl,ru
  tt-cyrl:ru ty:fr tyv:ru udm:ru ug:ug-arab uk:ru vec:it vep:et vls:nl vmf:de vot:fi vro:et wa:fr wls:fr wo:fr wuu:zh-hans
  xal:ru xmf:ka yi:he yue:zh-hk,zh-hant za:zh-hans zea:nl zh:zh-hans zh-classical:lzh,zh-hant zh-cn:zh-hans,zh
  zh-hant:zh-tw,zh-hk,zh,zh-hans zh-hans:zh-cn,zh,zh-hant zh-hk:zh-hant,zh-tw,zh,zh-hans zh-min-nan:nan,cdo,zh-hant
  zh-mo:zh-hk,zh-hant,zh-tw,zh,zh-hans zh-my:zh-sg,zh-hans,zh-cn,zh zh-sg:zh-hans,zh-cn,zh zh-tw:zh-hant,zh-hk,zh,zh-hans
  zh-yue:yue,zh-hk,zh-hant
`

const CHAINS: ReadonlyMap<string, readonly string[]> = new Map(
  FALLBACKS.trim()
    .split(/\s+/)
    .map((entry) => {
      const [code = '', chain = ''] = entry.split(':')
      return [code, chain.split(',')]
    }),
)

/** Excludes the language itself. Empty for English. */
export function fallbacksOf(code: string): string[] {
  if (code === 'en') return []
  const chain = CHAINS.get(code) ?? []
  return chain.includes('en') ? [...chain] : [...chain, 'en']
}
