// Spellings as they are found in the names of folders; the order decides where two would fit.
const RECITERS: readonly [spelling: RegExp, name: string][] = [
  [/hus+ar[iy]/, 'محمود خليل الحصري'],
  [/m[ie]nsh?aw[iy]/, 'محمد صديق المنشاوي'],
  [/abd ?[aeu]l ?bas[ie]t/, 'عبد الباسط عبد الصمد'],
  [/must?afa? ?ismai?l|mostafa ?ismai?l/, 'مصطفى إسماعيل'],
  [/af+as[iy]/, 'مشاري راشد العفاسي'],
  [/suda[iy]s/, 'عبد الرحمن السديس'],
  [/sh?ura[iy]m/, 'سعود الشريم'],
  [/sa+d.*gh?amd[iy]/, 'سعد الغامدي'],
  [/aja?m[iy]/, 'أحمد بن علي العجمي'],
  [/mu ?a[iy]q[iu]?l[iy]/, 'ماهر المعيقلي'],
  [/sh?a+ ?t[ir]?r[iye]+/, 'أبو بكر الشاطري'],
  [/h[uo][dt]h?a[iy]f/, 'علي بن عبد الرحمن الحذيفي'],
  [/basfar/, 'عبد الله بصفر'],
  [/d[ou]s+ar[iy]/, 'ياسر الدوسري'],
  [/qat+am[iy]/, 'ناصر القطامي'],
  [/juhan[iy]|johan[iy]/, 'عبد الله عواد الجهني'],
  [/m[uo]ham+[ae]d.*ay+[ou]+b/, 'محمد أيوب'],
  [/jibr[ie]+l/, 'محمد جبريل'],
  [/tablaw[iy]/, 'محمد محمود الطبلاوي'],
  [/hani.*rifai?[iy]/, 'هاني الرفاعي'],
  [/abkar/, 'إدريس أبكر'],
  [/far[ei]s.*ab+ad/, 'فارس عباد'],
  [/tuna[iy]j[iy]/, 'خليفة الطنيجي'],
  [/khal[ie]d.*qahtan[iy]/, 'خالد القحطاني'],
  [/al[iy].*jab[ei]r/, 'علي جابر'],
  [/buda[iy]r/, 'صلاح البدير'],
  [/mahm[ou]+d.*al[iy].*ban+a/, 'محمود علي البنا'],
  [/k[ao]zabr[iy]|qazabr[iy]/, 'عمر القزابري'],
  [/luha[iy]dan/, 'محمد اللحيدان'],
  [/m[uo]ham+[ae]d.*rifat/, 'محمد رفعت'],
  [/haz+a.*bal[ou]+sh/, 'هزاع البلوشي'],
  [/islam.*s[uo]bh[iy]/, 'إسلام صبحي'],
  [/kalban[iy]/, 'عادل الكلباني'],
  [/ra+d.*kurd[iy]/, 'رعد محمد الكردي'],
  [/matr[ou]+d/, 'عبد الله المطرود'],
  [/n[ua]+ ?[ai]+na/, 'أحمد نعينع'],
  [/m[uo]ha[iy]s[ai]?n[iy]/, 'محمد المحيسني'],
  [/th?uba[iy]t[iy]/, 'عبد الباري الثبيتي'],
  [/parhi[zg]+ar/, 'شهريار پرهيزگار'],
]

const STYLES: readonly [spelling: RegExp, name: string][] = [
  [/mu?jaw+[ao]?d/, 'مجوّد'],
  [/mu?rat+[ai]?l/, 'مرتّل'],
  [/mu ?al+im|teacher/, 'المعلّم'],
  [/warsh/, 'ورش'],
  [/qal[ou]+n/, 'قالون'],
  [/dou?r[iy]\b/, 'الدوري'],
  [/kids|child/, 'مع ترديد الأطفال'],
]

/** What a reciter is called in Arabic, where the name of the folder tells it; else nothing. */
export function reciterInArabic(name: string): string | undefined {
  if (/\p{Script=Arabic}/u.test(name)) return name
  const plain = name
    .normalize('NFD')
    .replace(/[\p{M}'’‘`ʿʾ]/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
  const reciter = RECITERS.find(([spelling]) => spelling.test(plain))?.[1]
  if (!reciter) return undefined
  const styles = STYLES.filter(([spelling]) => spelling.test(plain)).map(([, style]) => style)
  return styles.length === 0 ? reciter : `${reciter} (${styles.join('، ')})`
}
