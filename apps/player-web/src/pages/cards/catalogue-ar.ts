import type { en } from './catalogue-en.ts'

export const ar: typeof en = {
  cards: {
    title: 'البطاقات',
    hold: 'قرّب بطاقة من الجهاز',
    holdHint: 'تُفتح هنا لحظة ملاحظتها.',
    noReader: 'لا قارئ بطاقات',
    noReaderWhy: 'صِل قارئًا بالجهاز يُعرف تلقائيًا.',
    locked: 'البطاقات خاصة',
    lockedWhy: 'تظهر البطاقات للهواتف التي معها رمز الجهاز.',
    show: 'اعرض البطاقات',
    empty: 'لا بطاقات معروفة بعد.',
    never: 'لم تُلمس',
    newTitle: 'بطاقة جديدة',
    editTitle: 'البطاقة',
    name: 'لمن هي، أو لماذا',
    nameHint: 'مريم',
    nameIt: 'سمِّ البطاقة لتعرفها لاحقًا.',
    takenBy: 'حفظ هاتف آخر هذه البطاقة للتو باسم {s}. الحفظ هنا يحلّ محلّه.',
    does: 'حين تُلمس',
    repeat: 'التكرار والحفظ',
    secondTap: 'حين تُلمس ثانيةً وهي تُتلى',
    secondTaps: {
      toggle: 'إيقاف ومتابعة',
      restart: 'من البداية',
      next: 'السورة التالية',
      ignore: 'لا شيء',
    },
  },
}
