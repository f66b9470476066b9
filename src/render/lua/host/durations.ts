/** Durations in words. */
import { keptByLocale, supportedLocale } from '../../preprocessor/functions/localeData.js'
import { formatNumbers } from '../../preprocessor/functions/numberFormat.js'
import { languageOf } from '../../../language/language.js'
import type { LuaSession } from '../session.js'
import type { HostArguments } from './arguments.js'

/**
 * Words of durations, observed in MediaWiki 1.39. Each line is a language, with `:` between its parts:
 *
 *     code
 *     text between two items
 *     text before the last item
 *     millennia, centuries, decades, years, weeks, days, hours, minutes, seconds, with `;` between them
 *
 * A unit has variants with `|` between them. The first letter of a variant is a plural category, or a number up to 2.
 * The last variant has none, and is for all other numbers. `#` is the number.
 */
const DURATION_WORDS = `
af:, : en :o# millennium|# millennia;o# eeu|# eeue;o# dekade|# dekades;o# jaar|# jare;o# week|# weke;o# dag|# dae;o# uur|# ure;o# minuut|# minute;o# sekonde|# sekondes
am:, : እና :o# millennium|# millennia;o# century|# centuries;o# decade|# decades;o# year|# years;o# week|# weeks;o# day|# days;o# hour|# hours;o# minute|# minutes;o# second|# seconds
ar:، : و :z|oألفية واحدة|tألفيتان|f# ألفيات|# ألفية;z|oقرن واحد|tقرنان|f# قرون|m# قرنًا|# قرن;z|oعقد واحد|tعقدان|f# عقود|m# عقدًا|# عقد;z|oسنة واحدة|tسنتان|f# سنين|# سنة;z|oأسبوع واحد|tأسبوعان|f# أسابيع|m# أسبوعًا|# أسبوع;z|oيوم واحد|tيومان|f# أيام|m# يومًا|# يوم;z()|o(ساعة واحدة)|t(ساعتان)|f(# ساعات)|(# ساعة);zأقل من دقيقة|oدقيقة واحدة|tدقيقتان|f# دقائق|# دقيقة;zأقل من ثانية|oثانية واحدة|tثانيتان|f# ثوانٍ|# ثانية
as:, : আৰু :# সহস্ৰাব্দ;# শতাব্দী;# দশক;# বছৰ;সপ্তাহ;# দিন;# ঘণ্টা;# মিনিট;# ছেকেণ্ড
ast:, : y :o# mileniu|# milenios;o# sieglu|# sieglos;o# década|# décades;o# añu|# años;o# selmana|# selmanes;o# día|# díes;o# hora|# hores;o# minutu|# minutos;o# segundu|# segundos
az:, : və :# minillik;# əsr;# onillik;# il;# həftə;# gün;# saat;# dəqiqə;# saniyə
ba:, : һәм :# меңйыллыҡ;# быуат;# ун йыллыҡ;# йыл;# аҙна;# көн;# сәғәт;# минут;# секунд
be:, : і :o# тысячагоддзе|f# тысячагоддзі|# тысячагоддзяў;o# стагоддзе|f# стагоддзі|# стагоддзяў;o# дзесяцігоддзе|f# дзесяцігоддзі|# дзесяцігоддзяў;o# год|f# гады|# гадоў;o# тыдзень|f# тыдні|# тыдняў;o# дзень|f# дні|# дзён;o# гадзіна|f# гадзіны|# гадзін;o# мінута|f# мінуты|# мінут;o# секунда|f# секунды|# секунд
be-tarask:, : і :o# тысячагодзьдзе|f# тысячагодзьдзі|# тысячагодзьдзяў;o# стагодзьдзе|f# стагодзьдзі|# стагодзьдзяў;o# дзесяцігодзьдзе|f# дзесяцігодзьдзі|# дзесяцігодзьдзяў;o# год|f# гады|# гадоў;o# тыдзень|f# тыдні|# тыдняў;o# дзень|f# дні|# дзён;o# гадзіна|f# гадзіны|# гадзінаў;o# хвіліна|f# хвіліны|# хвілінаў;o# сэкунда|f# сэкунды|# сэкундаў
bg:, : и :o# хилядолетие|# хилядолетия;o# век|# века;o# десетилетие|# десетилетия;o# година|# години;o# седмица|# седмици;o# ден|# дни;o# час|# часа;o# минута|# минути;o# секунда|# секунди
bn:, : এবং :# সহস্রাব্দ;# শতাব্দী;# দশক;# বছর;# সপ্তাহ;# দিন;# ঘণ্টা;# মিনিট;# সেকেন্ড
br:, : ha(g) :o# milvloaz|# milvoaz;o# c&#039;hantved|# kantved;o# degad|# degas;# bloaz;# sizhun;(# deiz);(# eurvezh);# munut;# eilenn
bs:, : i :o# milenij|# milenija;o# vijek|f# vijeka|# vijekova;f# decenije|# decenija;f# godine|# godina;f# sedmice|# sedmica;o# dan|# dana;o# sat|f# sata|# sati;o# minut|f# minute|# minuta;o# sekunda|f# sekunde|# sekundi
ca:, : i :o# mil·lenni|# mil·lennis;o# segle|# segles;o# dècada|# dècades;o# any|# anys;o# setmana|# setmanes;o# dia|# dies;o# hora|# hores;o# minut|# minuts;o# segon|# segons
ce:, :, :o# эзар шо|# эзар шераш;o# бӀешо|# бӀешераш;o# итт шо|# итт шераш;# шо;# кӀира;# де;# сахьт;# минот;# секунд
ceb:, : ug :1# millennium|# millennia;1# century|# centuries;1# decade|# decades;1# year|# years;1# week|# weeks;1# day|# days;1# hour|# hours;1# minute|# minutes;1# second|# seconds
crh-latn:, : ve :o# millennium|# millennia;# asır;o# decade|# decades;# yıl;# afta;# kün;# saat;# daqqa;# saniye
cs:, : a :# tisíciletí;# století;o# dekáda|f# dekády|# dekád;o# rok|f# roky|# let;o# týden|f# týdny|# týdnů;o# den|f# dny|# dní;o# hodina|f# hodiny|# hodin;o# minuta|f# minuty|# minut;o# sekunda|f# sekundy|# sekund
cv:, : тата :# пинҫуллӑх;# ӗмӗр;# вунҫуллӑх;# çул;# эрне;# кун;# сехет;# минут;# ҫеккунт
cy:, : a/ac :o# filflwydd|t# filflwydd|# milflwydd;o# ganmlwydd|t# ganmlwydd|m# chanmlwydd|# canmlwydd;t# ddegawd|# degawd;t# flynedd|# mlynedd;# wythnos;t# ddiwrnod|# diwrnod;# awr;t# funud|# munud;# eiliad
da:, : og :o# årtusind|# årtusinder;o# århundrede|# århundreder;o# årti|# årtier;# år;o# uge|# uger;o# dag|# dage;o# time|# timer;o# minut|# minutter;o# sekund|# sekunder
de:, : und :o# Jahrtausend|# Jahrtausende;o# Jahrhundert|# Jahrhunderte;o# Jahrzehnt|# Jahrzehnte;o# Jahr|# Jahre;o# Woche|# Wochen;o# Tag|# Tagen;o# Stunde|# Stunden;o# Minute|# Minuten;o# Sekunde|# Sekunden
dsb:, : a :o# lěttysac|t# lěttysaca|f# lěttysace|# lěttysacow;o# stolěśe|t# stolěśi|f# stolěśa|# stolěśow;o# lětźasetk|t# lětźasetka|f# lětźasetki|# lětźastkow;o# lěto|t# lěśe|f# lěta|# lět;o# tyźeń|t# tyźenja|f# tyźenje|# tyźenjow;o# źeń|t# dnja|f# dny|# dnjow;o# góźina|t# góźinje|f# góźiny|# góźinow;o# minuta|t# minuśe|f# minuty|# minutow;o# sekunda|t# sekunźe|f# sekundy|# sekundow
el:, : και :o# χιλιετία|# χιλιετίες;o# αιώνα|# αιώνες;o# δεκαετία|# δεκαετίες;o# χρόνο|# χρόνια;o# εβδομάδα|# εβδομάδες;o# μέρα|# μέρες;o# ώρα|# ώρες;o# λεπτό|# λεπτά;o# δευτερόλεπτο|# δευτερόλεπτα
en:, : and :o# millennium|# millennia;o# century|# centuries;o# decade|# decades;o# year|# years;o# week|# weeks;o# day|# days;o# hour|# hours;o# minute|# minutes;o# second|# seconds
eo:, : kaj :o# jarmilo|# jarmiloj;o# jarcento|# jarcentoj;o# jardeko|# jardekoj;o# jaro|# jaroj;o# semajno|# semajnoj;o# tago|# tagoj;o# horo|# horoj;o# minuto|# minutoj;o# sekundo|# sekundoj
es:, : y :o# milenio|# milenios;o# siglo|# siglos;o# década|# décadas;o# año|# años;o# semana|# semanas;o# día|# días;o# hora|# horas;o# minuto|# minutos;o# segundo|# segundos
et:, : ja :o# aastatuhat|# aastatuhandet;o# sajand|# sajandit;o# kümnend|# kümnendit;o# aasta|# aastat;o# nädal|# nädalat;o# päev|# päeva;o# tund|# tundi;o# minut|# minutit;o# sekund|# sekundit
eu:, : eta :oMilurteko #|# milurteko;oMende #|# mende;oHamarkada #|# hamarkada;oUrtebete|# urte;oAstebete|# aste;oEgun bat|# egun;oordubete|# ordu;ominutu bat|# minutu;oSegundo bat|# segundo
fa:، : و :oهزار سال|# هزار سال;# قرن;# دهه;# سال;# هفته;# روز;# ساعت;# دقیقه;# ثانیه
fi:, : ja :o# vuosituhat|# vuosituhatta;o# vuosisata|# vuosisataa;o# vuosikymmen|# vuosikymmentä;o# vuosi|# vuotta;o# viikko|# viikkoa;o# päivä|# päivää;o# tunti|# tuntia;o# minuutti|# minuuttia;o# sekunti|# sekuntia
fo:, : og :o# millennium|# millennia;o# øld|# øldir;# áratíggju;# ár;o# vika|# vikur;o# dagur|# dagar;o# tími|# tímar;o# minuttur|# minuttir;# sekund
fr:, : et :o# millénaire|# millénaires;o# siècle|# siècles;o# décennie|# décennies;o# année|# années;o# semaine|# semaines;o# jour|# jours;o# heure|# heures;o# minute|# minutes;o# seconde|# secondes
fy:, : en :o# millennium|# millennia;o# iuw|# iuwen;o# desennium|# desennia;# jier;# wike;o# dei|# dagen;o# oere|# oeren;o# minút|# minuten;o# sekonde|# sekonden
ga:, : agus :o# millennium|# millennia;o# century|# centuries;o# decade|# decades;o# year|# years;o# week|# weeks;# lá;o# hour|# hours;o# minute|# minutes;o# second|# seconds
gd:, : agus :o# mhìle bliadhna|t# mhìle bliadhna|# mìle bliadhna;f# linntean|# linn;t# dheichead|f# deicheadan|# deichead;o# bhliadhna|t# bhliadhna|f# bliadhnaichean|# bliadhna;t# sheachdain|f# seachdainean|# seachdain;f# làithean|# latha;f# uairean|# uair;o# mhionaid|t# mhionaid|f# mionaidean|# mionaid;t# dhiog|f# diogan|# diog
gl:, : e :o# milenio|# milenios;o# século|# séculos;o# década|# décadas;o# ano|# anos;o# semana|# semanas;o# día|# días;o# hora|# horas;o# minuto|# minutos;o# segundo|# segundos
gsw:, : un :# Jahrtöusert;# Johrhundert;o# Johrzehnt|# Johrzeht;# Johr;# Wuche;o# Tag|# Täg;o# Stund|# Stunde;o# Minut|# Minute;o# Sekund|# Sekunde
gu:, : અને :o# સહસ્ત્રાબ્દી|# સહસ્ત્રાબ્દીઓ;o# શતાબ્દી|# શતાબ્દીઓ;o# દાયકો|# દાયકાઓ;o# વર્ષ|# વર્ષો;o# અઠવાડિયું|# અઠવાડિયા;o# દિવસ|# દિવસો;o# કલાક|# કલાકો;o# મિનિટ|# મિનિટો;o# સેકંડ|# સેકંડો
he:, : וגם :oאלף שנה|tאלפיים שנה|# אלפי שנים;oמאה שנה|tמאתיים שנה|# מאות שנים;oעשור|# עשורים;oשנה|tשנתיים|# שנים;oשבוע|tשבועיים|# שבועות;oיום|tיומיים|# ימים;oשעה|tשעתיים|# שעות;oדקה|# דקות;oשנייה אחת|# שניות
hi:, : और :# सहस्राब्दी;# शताब्दी;# दशक;# वर्ष;# सप्ताह;# दिन;o# घंटा|# घंटे;# मिनट;# सॅकेंड
hr:, : i :o# milenij|# milenija;o# stoljeće|# stoljeća;o# desetljeće|# desetljeća;f# godine|# godina;o# tjedan|f# tjedna|# tjedana;o# dan|# dana;o# sat|f# sata|# sati;f# minute|# minuta;o# sekunda|f# sekunde|# sekundi
hsb:, : a :o# lěttysac|t# lěttysacaj|f# lěttysacy|# lěttysacow;o# lětstotk|t# lětstotkaj|f# lětstotki|# lětstotkow;o# lětdźesatk|t# lětdźesatkaj|f# lětdźesatki|# lětdźesatkow;o# lěto|t# lěće|f# lěta|# lět;o# tydźeń|t# njedźeli|f# njedźele|# njedźel;o# dźeń|t# dnjej|f# dny|# dnjow;o# hodźina|t# hodźinje|f# hodźiny|# hodźin;o# mjeńšina|t# mjeńšinje|f# mjeńšiny|# mjeńšin;o# sekunda|t# sekundźe|f# sekundy|# sekundow
ht:, : ak :0# millénaire|o# millénaire|# millénaires;0# siècle|o# siècle|# siècles;0# décennie|o# décennie|# décennies;0# année|o# année|# années;0# semaine|o# semaine|# semaines;# jou;0# heure|o# heure|# heures;0# minute|o# minute|# minutes;0# seconde|o# seconde|# secondes
hu:, : és :oegy évezred|# évezred;oegy évszázad|# évszázad;oegy évtized|# évtized;oEgy év|# év;# hét;oegy nap|# nap;oegy óra|# óra;# perc;# másodperc
hy:, : և :# հազարամյակ;# դար;# տասնամյակ;# տարի;# շաբաթ;# օր;# ժամ;# րոպե;# վայրկյան
ia:, : e :o# millennio|# millennios;o# seculo|# seculos;o# decennio|# decennios;o# anno|# annos;o# septimana|# septimanas;o# die|# dies;o# hora|# horas;o# minuta|# minutas;o# secunda|# secundas
id:, : dan :# milenium;# abad;# dekade;# tahun;# minggu;# hari;# jam;# menit;# detik
io:, : ed :o# yarmilo|# yarmili;o# yarcento|# yarcenti;o# yardeko|# yardeki;o# yaro|# yari;o# semano|# semani;o(# dio)|(# dii);o# horo|# hori;o# minuto|# minuti;o# sekundo|# sekundi
is:, : og :# árþúsund;o# öld|# aldir;o# áratugur|# áratugir;# ár;o# vika|# vikur;o# dagur|# dagar;o# klukkustund|# klukkustundir;o# mínúta|# mínútur;o# sekúnda|# sekúndur
it:, : e :o# millennio|# millenni;o# secolo|# secoli;o# decade|# decadi;o# anno|# anni;o# settimana|# settimane;o# giorno|# giorni;o# ora|# ore;o# minuto|# minuti;o# secondo|# secondi
ja:、: および :#,000 年;# 世紀;#0 年;# 年;# 週間;# 日;# 時間;# 分;# 秒
jv:, : lan :# miléniyum;# abad;# dasawarsa;# taun;# minggu;# dina;# jam;# menit;# sekon
ka:, : და :# ათასწლეული;# საუკუნე;# დეკადა;# წელი;# კვირა;# დღე;# საათი;# წუთი;# წამი
kaa:, : hám :# mıńjıllıq;# ásir;# onjıllıq;# жыл;# hápte;# kún;# saat;# minut;# sekund
kab:, : d :o# agimseggwas|# agimseggwasen;o# timiḍi|# timiḍa;o# amrawass|# amrawussan;o# aseggwas|# iseggwasen;o# imalas|# imulas;o# ass|# ussan;o# asrag|# isragen;o# tamrect|# timercin;o# tasint|# tisinin
kk-cyrl:, : және :# мыңжылдық;# ғасыр;# онжылдық;# жыл;# апта;# күн;# сағат;# минут;# секунд
km:, : និង :# សហសវត្សរ៍;# សតវត្សរ៍;# ទសវត្សរ៍;# ឆ្នាំ;# សប្តាហ៍;# ថ្ងៃ;# ម៉ោង;# នាទី;# វិនាទី
kn:, : ಮತ್ತು :o# ಸಹಸ್ರಮಾನ|# ಸಹಸ್ರಮಾನಗಳು;o# ಶತಮಾನ|# ಶತಮಾನಗಳು;o# ದಶಕ|# ದಶಕಗಳು;o# ವರ್ಷ|# ವರ್ಷಗಳು;o# ವಾರ|# ವಾರಗಳು;o# ದಿನ|# ದಿನಗಳು;o# ಗಂಟೆ|# ಗಂಟೆಗಳು;o# ನಿಮಿಷ|# ನಿಮಿಷಗಳು;o# ಕ್ಷಣ|# ಕ್ಷಣಗಳು
ko:, : 그리고 :#천년;#세기;#0년;#년;#주;#일;#시간;#분;#초
ku-latn:, : û :o# millennium|# millennia;# sedsal;o# decade|# decades;# sal;o# week|# weeks;o# roj|# rojan;o# hour|# hours;o# minute|# minutes;o# second|# seconds
ky:, : жана :# миң жылдык мөөнөт;# кылым;# оң жылдык мөөнөт;# жыл;# апта;# күн;# саат;# мүнөт;# секунда
la:, : et :o# millennium|# millennia;o# saeculum|# saecula;o# decade|# decades;o# year|# years;o# week|# weeks;o# day|# days;o# hour|# hours;o# minute|# minutes;o# second|# seconds
lb:, : a(n) :o# Millenaire|# Millenairen;o# Joerhonnert|# Joerhonnerten;o# Joerzéngt|# Joerzéngten;# Joer;o# Woch|# Wochen;o# Dag|# Deeg;o# Stonn|# Stonnen;o# Minutt|# Minutten;o# Sekonn|# Sekonnen
li:, : en :o# millennium|# millennia;# ieëf;o# decennium|# decennia;# jaor;# waek;# daag;# oer;# menuut;# sekond
lo:, : ແລະ :1# millennium|# millennia;1# century|# centuries;1# decade|# decades;1# year|# years;1# week|# weeks;1# day|# days;1# hour|# hours;1# minute|# minutes;1# second|# seconds
lt:, : ir :o# tūkstantmetis|f# tūkstantmečiai|# tūkstantmečių;o# amžius|f# amžiai|# amžių;o# dešimtmetis|f# dešimtmečiai|# dešimtmečių;o# metai|f# metai|# metų;o# savaitė|f# savaitės|# savaičių;o# diena|f# dienos|# dienų;o# valanda|f# valandos|# valandų;o# minutė|f# minutės|# minučių;o# sekundė|f# sekundės|# sekundžių
lv:, : un :o# tūkstošgade|# tūkstošgades;o# gadsimts|# gadsimti;o# desmitgade|# desmitgades;o# gads|# gadi;o# nedēļa|# nedēļas;o# diena|# dienas;o# stunda|# stundas;o# minūte|# minūtes;o# sekunde|# sekundes
mg:, : sy :o# millénaire|# millénaires;taonjato #;folotaona #;# taona;# herinandro;# andro;# ora;# minitra;# segondra
mk:, : и :o# милениум|# милениуми;o# век|# века;o# деценија|# децении;o# година|# години;o# недела|# недели;oеден ден|# дена;oеден час|# часа;oедна минута|# минути;oедна секунда|# секунди
ml:, : ഒപ്പം :oഒരു സഹസ്രാബ്ദം|# സഹസ്രാബ്ദം;oഒരു നൂറ്റാണ്ട്|# നൂറ്റാണ്ട്;oഒരു ദശാബ്ദം|# ദശാബ്ദം;oഒരു വർഷം|# വർഷം;oഒരു ആഴ്ച്ച|# ആഴ്ച്ച;oഒരു ദിവസം|# ദിവസം;oഒരു മണിക്കൂർ|# മണിക്കൂർ;oഒരു മിനിറ്റ്|# മിനിറ്റ്;oഒരു സെക്കന്റ്|# സെക്കന്റ്
mn:, : ба :# мянган;# зуун;# арван;# жил;# долоо хоног;# өдөр;# цаг;# минут;# секунд
mr:, : आणि :0# सहस्त्रक|o# सहस्त्रक|# सहस्त्रके;0# शतकापूर्वी|o# शतकापूर्वी|# शतकांपूर्वी;0# दशकापूर्वी|o# दशकापूर्वी|# दशकांपूर्वी;0# वर्षापूर्वी|o# वर्षापूर्वी|# वर्षांपूर्वी;0# आठवड्यापूर्वी|o# आठवड्यापूर्वी|# आठवड्यांपूर्वी;0# दिवसापूर्वी|o# दिवसापूर्वी|# दिवसांपूर्वी;# तास;# मिनिट;0# सेकंदापूर्वी|o# सेकंदापूर्वी|# सेकंदांपूर्वी
ms:, : dan :# alaf;# abad;# dekad;# tahun;# minggu;# hari;# jam;# minit;# saat
mt:, : u :o# millennju|# millennji;o# seklu|# sekli;o# deċennju|# deċennji;o# sena|# snin;o# ġimgħa|# ġimgħat;o# jum|# jiem;o# siegħa|# sigħat;o# minuta|# minuti;o# sekonda|# sekondi
my:, : နှင့် :1# ထောင်စုနှစ်|# ထောင်စုနှစ်များ;1# ရာစုနှစ်|# ရာစုနှစ်များ;1# ဆယ်စုနှစ်|# ဆယ်စုနှစ်များ;# နှစ်;# ပတ်;# ရက်;# နာရီ;# မိနစ်;# စက္ကန့်
nah:, : wan :o# milenio|# milenios;o# siglo|# siglos;o# década|# décadas;o# año|# años;o# semana|# semanas;o# día|# días;o# hora|# horas;o# minuto|# minutos;o# segundo|# segundos
nb:, : og :o# millennium|# millennier;o# århundre|# århundrer;# tiår;# år;o# uke|# uker;o# dag|# dager;o# time|# timer;o# minutt|# minutter;o# sekund|# sekunder
nds:, : un :o# Jahrtausend|# Jahrtausende;o# Jahrhundert|# Jahrhunderte;o# Jahrzehnt|# Jahrzehnte;o# Jahr|# Jahre;o# Woche|# Wochen;o# Dag|# Daag;o# Stunde|# Stunden;o# Minute|# Minuten;o# Sekunde|# Sekunden
ne:, : र :o# सहस्राब्दी|# सहस्राब्दीहरू;o# शताब्दि|# शताब्दिहरू;o# दशक|# दशकहरू;o# वर्ष|# वर्षहरू;o# हप्ता|# हप्ताहरू;o# दिन|# दिनहरू;o# घण्टा|# घण्टाहरू;o# मिनेट|# मिनेटहरू;o# सेकेण्ड|# सेकेण्डहरू
nl:, : en :o# millennium|# millennia;o# eeuw|# eeuwen;o# decennium|# decennia;# jaar;o# week|# weken;o# dag|# dagen;o# uur|# uren;o# minuut|# minuten;o# seconde|# seconden
nn:, : og :# tusenår;# hundreår;# tiår;# år;o# veke|# veker;o# dag|# dagar;o# time|# timar;# minutt;# sekund
oc:, : e :o# milleni|# millenis;o# sègle|# sègles;o# decenni|# decennis;o# annada|# annadas;o# setmana|# setmanas;o# jorn|# jorns;o# ora|# oras;o# minuta|# minutas;o# segonda|# segondas
or:, : ଓ :o# millennium|# millennia;o# century|# centuries;o# decade|# decades;o# year|# years;o# ସପ୍ତାହ|# ସପ୍ତାହଗୁଡିକ;o# ଦିନ|# ଦିନଗୁଡିକ;# ଘଣ୍ଟା;# ମିନିଟ;o# ସେକଣ୍ଡ|# ସେକେଣ୍ଡ
pa:, : ਅਤੇ :o# ਸਾਹਸ਼ਤਾਬਦੀ|# ਸਾਹਸ਼ਤਾਬਦੀਆਂ;o# ਸਦੀ|# ਸਦੀਆਂ;o# ਦਹਾਕਾ|# ਦਹਾਕੇ;o# ਵਰ੍ਹਾ|# ਵਰ੍ਹੇ;o# ਹਫ਼ਤਾ|# ਹਫ਼ਤੇ;# ਦਿਨ;o# ਘੰਟਾ|# ਘੰਟੇ;# ਮਿੰਟ;# ਸਕਿੰਟ
pl:, : oraz :o# tysiąclecie|f# tysiąclecia|# tysiącleci;o# stulecie|f# stulecia|# stuleci;o# dziesięciolecie|f# dekady|# dekad;o# rok|f# lata|# lat;o# tydzień|f# tygodnie|# tygodni;o# dzień|# dni;o# godzina|f# godziny|# godzin;o# minuta|f# minuty|# minut;o# sekunda|f# sekundy|# sekund
ps:، : او :o# زرمه|# زرمې;# پېړۍ;o# لسيزه|# لسيزې;o# کال|# کالونه;# اونۍ;o# ورځ|# ورځې;o# ساعت دمخه|# ساعته دمخه;o# دقيقه|# دقيقې;o# ثانيه|# ثانيې
pt:, : e :o# milénio|# milénios;o# século|# séculos;o# década|# décadas;o# ano|# anos;o# semana|# semanas;o# dia|# dias;o# hora|# horas;o# minuto|# minutos;o# segundo|# segundos
pt-br:, : e :o# milênio|# milênios;o# século|# séculos;o# década|# décadas;o# ano|# anos;o# semana|# semanas;o# dia|# dias;o# hora|# horas;o# minuto|# minutos;o# segundo|# segundos
ro:, : și :f# milenii|o# mileniu|# de milenii;f# secole|o# secol|# de secole;f# decenii|o# deceniu|# de decenii;f# ani|o# an|# de ani;f# săptămâni|o# săptămână|# de săptămâni;f# zile|o# zi|# de zile;f# ore|o# oră|# de ore;f# minute|o# minut|# de minute;f# secunde|o# secundă|# de secunde
ru:, : и :# тысячелетие;o# век|f# века|# веков;o# десятилетие|f# десятилетия|# десятилетий;o# год|f# года|# лет;o# неделя|f# недели|# недель;o# день|f# дня|# дней;o# час|f# часа|# часов;o# минута|f# минуты|# минут;o# секунда|f# секунды|# секунд
sa:, : तथा च :0# सहस्राब्धः|o# सहस्राब्धः|# सहस्राब्धाः;0# शतकम्|o# शतकम्|# शतकानि;0# दशकम्|o# दशकम्|# दशकानि;0# वर्षम्|o# वर्षम्|# वर्षाणि;0# सप्ताहः|o# सप्ताहः|# सप्ताहाः;0# दिनम्|o# दिनम्|# दिनानि;0# घण्टा|o# घण्टा|# घण्टाः;0# निमेषः|o# निमेषः|# निमेषाः;0# क्षणम्|o# क्षणम्|# क्षणानि
sc:, : e :o# millennium|# millennia;o# century|# centuries;o# decade|# decades;o# year|# years;o# week|# weeks;o# die|# dies;o# hour|# hours;o# minute|# minutes;o# second|# seconds
scn:, : e :o# millenniu|# millennî;o# sèculu|# sèculi;o# dicenniu|# dicennî;o# annu|# anni;o# simana|# simani;o# jornu|# jorna;o# ura|# uri;o# minutu|# minuti;o# sicunnu|# sicunni
sco:, : n :o# millennium|# millennia;o# centuair|# centuairs;o# decade|# decades;o# year|# years;o# week|# weeks;o# day|# days;# oor;o# minute|# minutes;o# seicont|# seiconts
sd:، : ۽ :# millennia;# centuries;# decades;# years;# هفتا;# ڏينھَن;# ڪلاڪ;# منٽَ;# سيڪنڊَ
sh:, : i :o# milenijum|# milenijuma;o# vijek|# vijekova;# decenija;# godina;f# sedmice|# sedmica;o# dan|# dana;o# sat|# sati;# minuta;o# sekunda|# sekunde
si:, : සහ :සහස‍්‍රවර්ෂ # ක්;ශතවර්ෂ # ක්;දශක # ක්;වසර # ක්;සති # ක්;දින # ක්;පැය # ක්;මිනිත්තු # ක්;තත්පර # ක්
sk:, : a :o# tisícročie|f# tisícročia|# tisícročí;o# storočie|f# storočia|# storočí;o# dekáda|f# dekády|# dekád;o# rok|f# roky|# rokov;o# týždeň|f# týždne|# týždňov;o# deň|f# dni|# dní;o# hodina|f# hodiny|# hodín;o# minúta|f# minúty|# minút;o# sekunda|f# sekundy|# sekúnd
sl:, : in :o# tisočletje|t# tisočletji|f# tisočletja|# tisočletij;o# stoletje|t# stoletji|f# stoletja|# stoletij;o# desetletje|t# desetletji|f# desetletja|# desetletij;o# leto|t# leti|f# leta|# let;o# teden|t# tedna|f# tedni|# tednov;o# dan|t# dneva|f# dnevi|# dni;o# ura|t# uri|f# ure|# ur;o# minuta|t# minuti|f# minute|# minut;o# sekunda|t# sekundi|f# sekunde|# sekund
sq:, : dhe :o# milennium|# mileniume;o# shekull|# shekuj;o# dekadë|# dekada;o# vit|# vite;# javë;# ditë;# orë;o# minutë|# minuta;o# sekondë|# sekonda
sr-ec:, : и :o# миленијум|# миленијума;o# век|f# века|# векова;f# деценије|# деценија;f# године|# година;f# недеље|# недеља;o# дан|# дана;o# сат|f# сата|# сати;o# минут|# минута;o# секунд|f# секунда|# секунди
sr-el:, : i :o# milenijum|# milenijuma;o# vek|f# veka|# vekova;f# decenije|# decenija;f# godine|# godina;f# nedelje|# nedelja;o# dan|# dana;o# sat|f# sata|# sati;o# minut|# minuta;o# sekund|f# sekunda|# sekundi
sv:, : och :o# millennium|# millennier;# sekel;o# decennium|# decennier;# år;o# vecka|# veckor;o# dag|# dagar;o# timme|# timmar;o# minut|# minuter;o# sekund|# sekunder
sw:, : na :milenia #;karne #;omwongo #|miongo #;omwaka #|miaka #;wiki #;siku #;osaa #|masaa #;dakika #;sekunde #
szl:, : i :2# tysiąclecia|o# tysiąclecie|# tysiącleci;2# stulecia|o# stulecie|# stuleci;2# dekady|o# dziesięciolecie|# dekad;2# lata|o# rok|# lat;2# tygodnie|o# tydzień|# tygodni;o# dziyń|# dni;2# godziny|o# godzina|# godzin;2# minuty|o# minuta|# minut;2# sekundy|o# sekunda|# sekund
ta:, : உம் :o# ஆயிரம் ஆண்டு|# ஆயிரம் ஆண்டுகள்;o# நூற்றாண்டு|# நூற்றாண்டுகள்;o# பத்தாண்டு|# பத்தாண்டுகள்;oவருடம்|வருடங்கள்;oவாரம்|வாரங்கள்;o# நாள்|# நாட்கள்;o# மணி முன்பு|# மணிகள் முன்பு;oநிமிடம்|நிமிடங்கள்;o# நொடி|# நொடிகள்
te:, :,  :o# సహస్రాబ్దం|# సహస్రాబ్దాలు;o# శతాబ్దం|# శతాబ్దాలు;o# దశాబ్దం|# దశాబ్దాలు;o# సంవత్సరం|# సంవత్సరాలు;o# వారం|# వారాలు;o# రోజు|# రోజులు;o# గంట|# గంటలు;o# నిమిషం|# నిమిషాలు;o# క్షణం|# క్షణాలు
tg-cyrl:, : ва :o# millennium|# millennia;o# century|# centuries;o# decade|# decades;o# year|# years;o# week|# weeks;# рӯз;o# hour|# hours;o# minute|# minutes;o# second|# seconds
th:, : และ :# สหัสวรรษ;# ศตวรรษ;# ทศวรรษ;# ปี;# สัปดาห์;# วัน;# ชั่วโมง;# นาที;# วินาที
tl:, : at :o# milenyo|# (na) milenyo;o# daantaon|# (na) daantaon;o# dekada|# (na) dekada;o# taon|# (na) taon;o# linggo|# (na) linggo;o# araw|# (na) araw;o# oras|# (na) oras;o# minuto|# (na) minuto;o# segundo|# (na) segundo
tr:, : ve :# bin yıl;# yüzyıl;# on yıl;# yıl;# hafta;# gün;# saat;# dakika;# saniye
tt-cyrl:, : һәм :# меңьеллык;# гасыр;# дистә ел;# ел;# атна;# көн;# сәгать;# минут;# секунд
ug-arab:, : ۋە :# مىڭ يىل;# ئەسىر;# ئون يىل;# يىل;# ھەپتە;# كۈن;# سائەت;# مىنۇت;# سېكۇنت
uk:, : та :o# тисячоліття|f# тисячоліття|# тисячоліть;o# століття|f# століття|# століть;o# десятиліття|f# десятиліття|# десятиліть;o# рік|f# роки|# років;o# тиждень|f# тижні|# тижнів;o# день|f# дні|# днів;o# година|f# години|# годин;o# хвилина|f# хвилини|# хвилин;o# секунда|f# секунди|# секунд
ur:، : اور :o# ہزاریے|# ہزاریہ;o# صدی|# صدیاں;o# دہائی|# دہائیاں;# سال;o# ہفتہ|# ہفتے;# دن;o# گھنٹہ|# گھنٹے;# منٹ;# سیکنڈ
uz:, : va :o# millennium|# millennia;o# century|# centuries;o# decade|# decades;o# year|# years;# hafta;# kun;o# hour|# hours;o# minute|# minutes;o# second|# seconds
vec:, : e :o# milenio|# mileni;o# secolo|# secoli;o# decenio|# deceni;o# ano|# ani;o# stimana|# stimane;# dì;o# ora|# ore;o# minuto|# minuti;o# secondo|# secondi
vi:, : và :# thiên niên kỷ;# thế kỷ;# thập niên;# năm;# tuần;# ngày;# giờ;# phút;# giây
vo:, : e :omilyel #|milyels #;otumyel #|tumyels #;odegyel #|degyels #;oyel #|yels #;ovig #|vigs #;odel #|dels #;odüp #|düps #;ominut #|minuts #;osekun #|sekuns #
wa:, : eyet :o# meynaire|# meynaires;o# sieke|# siekes;o# dijhinne d&#039; anêyes|# dijhinnes d&#039; anêyes;o# anêye|# anêyes;o# samwinne|# samwinnes;o# djoû|# djoûs;o# eure|# eures;o# munute|# munutes;o# segonde|# segondes
war:, : ngan :o# yukottuig|# mga yukottuig;o# gatostuig|# mga gatostuig;o# dekada|# mga dekada;o# tuig|# mga tuig;o# semana|# mga semana;o# adlaw|# mga adlaw;o# oras|# mga oras;o# minuto|# mga minuto;o# segundo|# mga segundo
yi:, : און :o# יאָרטויזנט|# יאָרטויזנטער;o# יארהונדערט|# יארהונדערטער;o# צענדליקער|# צענדליקערס;o# יאָר|# יאָרן;o# וואָך|# וואָכן‎;o# טאָג|# טעג;o# שעה|# שעהן;o# מינוט|# מינוטן;o# סעקונדע|# סעקונדעס
yue:、: 同埋:#個千禧年;#個世紀;#個年代;#年;#個禮拜;#日;#個鐘頭;#分鐘;#秒
zh-hans:::#千年;#个世纪;#0年;#年;#周;#天;#小时;#分钟;#秒
zh-hant:::#千年;#個世紀;#0年;#年;#週;#天;#小時;#分鐘;#秒
zh-hk:::#千年;#個世紀;#0年;#年;#週;#日;#小時;#分鐘;#秒
`

/** First letters of variants, by plural category. */
const LETTERS = { zero: 'z', one: 'o', two: 't', few: 'f', many: 'm', other: '' } as const
const MAX_OWN_NUMBER = 2

interface Words {
  readonly language: string
  readonly separator: string
  readonly last: string
  /** From millennia to seconds. */
  readonly units: readonly string[]
}

let known: ReadonlyMap<string, Words> | undefined

const rulesOf = keptByLocale((locale) => new Intl.PluralRules(locale))

/** Arguments: language, then the place of a unit, from 1 for millennia, and its number, for each part. */
export function durationText(args: HostArguments, { expander }: LuaSession): string {
  const language = args.text(1)
  const words = wordsOf(language)
  const signs = expander.locale.numbersIn(languageOf(language))
  const parts: string[] = []
  for (let index = 2; index < args.count; index += 2) {
    const count = args.number(index + 1)
    const form = formOf(words, args.number(index), count)
    parts.push(form.replace('#', () => formatNumbers(String(count), signs, true)))
  }
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : parts.join(words.separator) + words.last + last
}

/** Whether the language has no words for ten years and a thousand. */
export const countsInYears = (language: string): boolean => wordsOf(language).language.startsWith('zh-')

function wordsOf(language: string): Words {
  known ??= new Map(parsed())
  for (const code of [language.toLowerCase(), ...languageOf(language).fallbacks, 'en']) {
    const words = known.get(code)
    if (words !== undefined) return words
  }
  throw new Error('there are no English words of durations')
}

function* parsed(): Generator<[string, Words]> {
  for (const line of DURATION_WORDS.split('\n').slice(1, -1)) {
    const [language = '', separator = '', last = '', units = ''] = line.split(':')
    yield [language, { language, separator, last, units: units.split(';') }]
  }
}

function formOf({ language, units }: Words, unit: number, count: number): string {
  const variants = (units[unit - 1] ?? '').split('|')
  const rest = variants.pop() ?? ''
  const letter = LETTERS[rulesOf(supportedLocale(language)).select(Math.abs(count))]
  const own = count >= 0 && count <= MAX_OWN_NUMBER ? String(count) : undefined
  const variant =
    variants.find((text) => text[0] === own) ?? variants.find((text) => letter !== '' && text[0] === letter)
  return variant === undefined ? rest : variant.slice(1)
}
