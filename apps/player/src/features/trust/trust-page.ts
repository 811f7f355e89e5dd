import type { Language } from '@manara/player-contract/settings'

export type TrustPage = { language: Language; fingerprint: string; hostname: string }

type Words = {
  title: string
  why: string[]
  download: string
  compare: string
  openAs: string
  systems: [name: string, steps: string[]][]
  limits: string
}

const ENGLISH: Words = {
  title: 'Why the browser warns',
  why: [
    'The connection to this box is encrypted. The browser warns because nobody it knows has signed the certificate of the box: public authorities do not sign for boxes in a home.',
    'The box has a small authority of its own instead. Install its certificate once on each phone or computer, and the warning is gone for as long as you own the box.',
  ],
  download: 'Download the certificate of this box',
  compare:
    'Whoever installs a certificate should know that it is the right one. Its SHA-256 fingerprint:',
  openAs: 'Afterwards open the box as',
  systems: [
    [
      'iPhone and iPad',
      [
        'Open this page in Safari, tap the download above and allow it.',
        'Settings › General › VPN & Device Management › the downloaded profile › Install.',
        'Settings › General › About › Certificate Trust Settings: switch the certificate on.',
      ],
    ],
    [
      'Android',
      [
        'Tap the download above and keep the file.',
        'Settings › Security › More security settings › Encryption & credentials › Install a certificate › CA certificate. Some makers name these differently: search the settings for “certificate”.',
        'Choose the file, and confirm.',
      ],
    ],
    [
      'Windows',
      [
        'Open the downloaded file › Install Certificate › Current User.',
        'Place it in “Trusted Root Certification Authorities”, and start the browser again.',
      ],
    ],
    [
      'macOS',
      [
        'Open the downloaded file; Keychain Access adds it.',
        'Double-click it there › Trust › “Always Trust”.',
      ],
    ],
    [
      'Linux',
      [
        'Copy the file to /usr/local/share/ca-certificates/ and run update-ca-certificates.',
        'Firefox: Settings › Privacy & Security › View Certificates › Authorities › Import.',
      ],
    ],
  ],
  limits:
    'The certificate is valid for local names (.local, .lan, .home.arpa) and private addresses only. Even somebody who stole the box could not use it to pretend to be a bank or any other site.',
}

const ARABIC: Words = {
  title: 'لماذا يحذّر المتصفح',
  why: [
    'الاتصال بهذا الجهاز مشفَّر. يحذّر المتصفح لأن شهادة الجهاز لم توقّعها جهة يعرفها، فالجهات العامة لا توقّع لأجهزة البيوت.',
    'للجهاز جهة توقيع صغيرة خاصة به. ثبّت شهادتها مرة واحدة على كل هاتف أو حاسوب، فيختفي التحذير ما دام الجهاز عندك.',
  ],
  download: 'تنزيل شهادة هذا الجهاز',
  compare: 'تأكّد قبل التثبيت أنها الشهادة الصحيحة. بصمتها SHA-256:',
  openAs: 'ثم افتح الجهاز بالعنوان',
  systems: [
    [
      'آيفون وآيباد',
      [
        'افتح هذه الصفحة في سفاري، ثم اضغط التنزيل أعلاه واسمح به.',
        'الإعدادات › عام › VPN وإدارة الجهاز › ملف التعريف المنزَّل › تثبيت.',
        'الإعدادات › عام › حول › إعدادات الثقة بالشهادات: فعّل الشهادة.',
      ],
    ],
    [
      'أندرويد',
      [
        'اضغط التنزيل أعلاه واحفظ الملف.',
        'الإعدادات › الأمان › مزيد من إعدادات الأمان › التشفير وبيانات الاعتماد › تثبيت شهادة › شهادة CA. قد تختلف الأسماء: ابحث في الإعدادات عن «شهادة».',
        'اختر الملف ثم أكّد.',
      ],
    ],
    [
      'ويندوز',
      [
        'افتح الملف المنزَّل › تثبيت الشهادة › المستخدم الحالي.',
        'ضعها في «المراجع المصدقة الجذرية الموثوقة»، ثم أعد تشغيل المتصفح.',
      ],
    ],
    [
      'ماك',
      [
        'افتح الملف المنزَّل فتضيفه سلسلة المفاتيح.',
        'انقر الشهادة هناك نقرًا مزدوجًا › الثقة › «الوثوق دائمًا».',
      ],
    ],
    [
      'لينكس',
      [
        'انسخ الملف إلى ‎/usr/local/share/ca-certificates/‎ ثم شغّل update-ca-certificates.',
        'فايرفوكس: الإعدادات › الخصوصية والأمان › عرض الشهادات › السلطات › استيراد.',
      ],
    ],
  ],
  limits:
    'الشهادة صالحة للأسماء المحلية (‎.local و‎.lan و‎.home.arpa) والعناوين الخاصة فقط، فلا يستطيع حتى من سرق الجهاز أن ينتحل بها موقع مصرف أو غيره.',
}

const WORDS: Record<Language, Words> = { en: ENGLISH, ar: ARABIC }

/** What a person reads who has just been warned of this box. Needs no script and nothing else. */
export function trustPage({ language, fingerprint, hostname }: TrustPage): string {
  const words = WORDS[language]
  const list = (steps: string[]) => steps.map((step) => `<li>${step}</li>`).join('')
  const systems = words.systems
    .map(([name, steps]) => `<details><summary>${name}</summary><ol>${list(steps)}</ol></details>`)
    .join('\n')
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { max-width: 36rem; margin: 8vh auto; padding: 0 1.5rem; line-height: 1.6; }
code { overflow-wrap: anywhere; }
summary { padding: 0.6rem 0; font-weight: 600; cursor: pointer; }
.get { display: inline-block; padding: 0.7rem 1.2rem; border-radius: 0.5rem; background: #1f7a5c; color: #fff; text-decoration: none; }
</style>
<h1>${words.title}</h1>
${words.why.map((text) => `<p>${text}</p>`).join('\n')}
<p><a class="get" href="/ca.crt">${words.download}</a></p>
<p>${words.compare}<br><code dir="ltr">${fingerprint}</code></p>
${systems}
<p>${words.openAs} <code dir="ltr">https://${hostname}.local</code>.</p>
<p><small>${words.limits}</small></p>
</html>
`
}
