import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reciterInArabic } from './reciter-arabic.ts'

// Names of folders as the well-known collections of recitations have them.
const KNOWN: [folder: string, name: string][] = [
  ['Husary', 'محمود خليل الحصري'],
  ['Mahmoud Khalil Al-Hussary', 'محمود خليل الحصري'],
  ['Husary_Muallim_128kbps', 'محمود خليل الحصري (المعلّم)'],
  ['Husary (Warsh)', 'محمود خليل الحصري (ورش)'],
  ['Minshawy_Mujawwad_192kbps', 'محمد صديق المنشاوي (مجوّد)'],
  ['Menshawi_16kbps', 'محمد صديق المنشاوي'],
  ['AbdulBaset AbdulSamad [Murattal]', 'عبد الباسط عبد الصمد (مرتّل)'],
  ['Abdul_Basit_Mujawwad_128kbps', 'عبد الباسط عبد الصمد (مجوّد)'],
  ['mishari_al_afasy', 'مشاري راشد العفاسي'],
  ['Alafasy_128kbps', 'مشاري راشد العفاسي'],
  ['Abdurrahmaan_As-Sudais_192kbps', 'عبد الرحمن السديس'],
  ['Saood_ash-Shuraym_128kbps', 'سعود الشريم'],
  ['Saad Al-Ghamdi', 'سعد الغامدي'],
  ['ahmed_ibn_ali_al_ajamy_128kbps', 'أحمد بن علي العجمي'],
  ['MaherAlMuaiqly128kbps', 'ماهر المعيقلي'],
  ["Maher Al Mu'aiqly", 'ماهر المعيقلي'],
  ['Abu_Bakr_Ash-Shaatree_128kbps', 'أبو بكر الشاطري'],
  ['Hudhaify_128kbps', 'علي بن عبد الرحمن الحذيفي'],
  ['Hani_Rifai_192kbps', 'هاني الرفاعي'],
  ['Muhammad_Ayyoub_128kbps', 'محمد أيوب'],
  ['Yasser_Ad-Dussary_128kbps', 'ياسر الدوسري'],
  ['Nasser_Alqatami_128kbps', 'ناصر القطامي'],
  ['ياسر الدوسري', 'ياسر الدوسري'],
]

for (const [folder, name] of KNOWN) {
  test(`${folder} is ${name}`, () => assert.equal(reciterInArabic(folder), name))
}

for (const folder of [
  'Card',
  'Grandfather',
  'Recordings 2024',
  'Ismail',
  'Ali',
  'Quran MP3',
  'Bakr',
]) {
  test(`${folder} is nobody we know`, () => assert.equal(reciterInArabic(folder), undefined))
}
