// Names of languages in themselves (Unicode CLDR): browsers have them for some languages only.

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
