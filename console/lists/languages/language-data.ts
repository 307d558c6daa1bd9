// Languages that browsers have names for, and their usual variants by region or script (BCP 47). Other tags can be
// typed.

const languages = `
aa ab af ak am an ar as ast av ay az ba be bg bho bi bm bn bo br brx bs ca ce ceb ch chr ckb co cs csb cv cy da de doi
dsb dv dz ee el en eo es et eu fa ff fi fil fj fo fr fur fy ga gd gl gn gsw gu gv ha haw he hi hmn hr hsb ht hu hy ia id
ie ig ii ilo io is it iu ja jv ka kab kg ki kk kl km kn ko kok kri ks ku kw ky la lb lg li lij ln lo lt lu luo lv mai mg
mh mi mk ml mn mni mr ms mt my na nb nd nds ne nl nn no nr nso nv ny oc om or os pa pap pcm pl ps pt qu rm rn ro ru rw sa
sah sat sc scn sco sd se sg si sk sl sm smn sn so sq sr ss st su sv sw szl ta te tg th ti tk tn to tpi tr ts tt tw ty ug
uk ur uz ve vec vi vo wa war wo xh yi yo yrl yue za zgh zh zu`;

const variants = `
ar-AE ar-EG ar-MA ar-SA az-Arab az-Cyrl az-Latn bs-Cyrl bs-Latn ca-valencia de-AT de-CH de-DE en-AU en-CA en-GB en-IE
en-IN en-NZ en-US en-ZA es-419 es-AR es-CL es-CO es-ES es-MX es-US fr-BE fr-CA fr-CH fr-FR it-CH it-IT ku-Arab ku-Latn
mn-Mong nl-BE nl-NL pa-Arab pa-Guru pt-BR pt-PT ro-MD sd-Deva sr-Cyrl sr-Latn sv-FI sw-CD ur-IN uz-Arab uz-Cyrl uz-Latn
yue-Hans yue-Hant zh-CN zh-Hans zh-Hant zh-HK zh-TW`;

const inWords = (text: string) => text.trim().split(/\s+/);

export const languageTags = inWords(languages);
export const variantTags = inWords(variants);

export const regionCodes = inWords(`
AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG
CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH
GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY
KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG
NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN
SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT
ZA ZM ZW`);

// What each language calls itself (from Unicode CLDR). Browsers know only some of these names.

const names = `
am አማርኛ|ar العربية|as অসমীয়া|ast asturianu|az azərbaycan|ba башҡорт|be беларуская|bg български|bho भोजपुरी
bm bamanakan|bn বাংলা|bo བོད་སྐད་|br brezhoneg|brx बर’|bs bosanski|ca català|ce нохчийн|chr ᏣᎳᎩ
ckb کوردیی ناوەندی|cs Čeština|cv чӑваш чӗлхи|cy Cymraeg|da dansk|de Deutsch|doi डोगरी|dsb dolnoserbšćina
dz རྫོང་ཁ|ee eʋegbe|el Ελληνικά|es Español|et eesti|eu euskara|fa فارسی|ff Pulaar|fi suomi|fo føroyskt
fr français|fur furlan|fy Frysk|ga Gaeilge|gd Gàidhlig|gl galego|gsw Schwiizertüütsch|gu ગુજરાતી|gv Gaelg
haw ʻŌlelo Hawaiʻi|he עברית|hi हिन्दी|hr Hrvatski|hsb hornjoserbšćina|hu magyar|hy հայերեն|ia interlingua
id Indonesia|ii ꆈꌠꉙ|is íslenska|it Italiano|ja 日本語|jv Jawa|ka ქართული|kab Taqbaylit|ki Gikuyu|kk қазақ тілі
kl kalaallisut|km ខ្មែរ|kn ಕನ್ನಡ|ko 한국어|kok कोंकणी|ks کٲشُر|ku kurdî (kurmancî)|kw kernewek|ky кыргызча
lb Lëtzebuergesch|lg Luganda|lij ligure|ln lingála|lo ລາວ|lt lietuvių|lu Tshiluba|luo Dholuo|lv latviešu
mai मैथिली|mk македонски|ml മലയാളം|mn монгол|mni মৈতৈলোন্|mr मराठी|ms Melayu|mt Malti|my မြန်မာ
nb norsk bokmål|nd isiNdebele|nds Neddersass’sch|ne नेपाली|nl Nederlands|nn norsk nynorsk|no norsk
nso Sesotho sa Leboa|oc occitan|om Oromoo|or ଓଡ଼ିଆ|os ирон|pa ਪੰਜਾਬੀ|pcm Naijíriá Píjin|pl polski|ps پښتو
pt Português|qu Runasimi|rm rumantsch|rn Ikirundi|ro română|ru Русский|rw Ikinyarwanda|sa संस्कृत भाषा
sah саха тыла|sat ᱥᱟᱱᱛᱟᱲᱤ|sc sardu|scn sicilianu|sd سنڌي|se davvisámegiella|sg Sängö|si සිංහල|sk Slovenčina
sl slovenščina|smn anarâškielâ|sn chiShona|so Soomaali|sq shqip|sr српски|st Sesotho|su Basa Sunda|sv Svenska
sw Kiswahili|szl ślōnski|ta தமிழ்|te తెలుగు|tg тоҷикӣ|th ไทย|ti ትግርኛ|tk Türkmen dili|tn Setswana
to lea fakatonga|tr Türkçe|tt татар|ug ئۇيغۇرچە|uk Українська|ur اردو|uz o‘zbek|vec veneto|vi Tiếng Việt
xh IsiXhosa|yi ייִדיש|yo Èdè Yorùbá|yrl Nheẽgatu|yue 粵語|za Vahcuengh|zgh ⵜⴰⵎⴰⵣⵉⵖⵜ|zh 中文|zu isiZulu`;

export const ownNames: ReadonlyMap<string, string> = new Map(
  names
    .trim()
    .split(/[|\n]/)
    .map((entry): [string, string] => {
      const end = entry.indexOf(' ');
      return [entry.slice(0, end), entry.slice(end + 1)];
    }),
);
