// The languages that a browser has names for, and their usual variants by region or script (BCP 47). Other tags can be
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
