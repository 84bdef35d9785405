// The words of a phone's system and of its Settings app, in the languages of the regions that a phone offers.

import { setAttribute, setText } from "./dom.js";

const languages = ["de", "fr", "hu", "ar", "he"];
/** By the English word; then in the order of `languages`. What is missing stays English. */
const table = {
  "Settings": ["Einstellungen", "Réglages", "Beállítások", "الإعدادات", "הגדרות"],
  "Focus": ["Fokus", "Concentration", "Fókusz", "التركيز", "מיקוד"],
  "Silent Mode": ["Stummmodus", "Mode silencieux", "Néma üzemmód", "الوضع الصامت", "מצב שקט"],
  "Dark Appearance": ["Dunkles Erscheinungsbild", "Apparence sombre", "Sötét megjelenés", "المظهر الداكن", "מראה כהה"],
  "Low Power Mode": ["Stromsparmodus", "Mode économie d’énergie", "Alacsony energiaszint mód", "نمط الطاقة المنخفضة", "מצב צריכת חשמל נמוכה"],
  "Battery below 20 %": ["Batterie unter 20 %", "Batterie sous 20 %", "Akkumulátor 20% alatt", "البطارية أقل من ٢٠٪", "סוללה מתחת ל-20%"],
  "Battery": ["Batterie", "Batterie", "Akkumulátor", "البطارية", "סוללה"],
  "Developer": ["Entwickler", "Développeur", "Fejlesztő", "المطور", "מפתח"],
  "Apps": ["Apps", "Apps", "Appok", "التطبيقات", "אפליקציות"],
  "General": ["Allgemein", "Général", "Általános", "عام", "כללי"],
  "Language & Region": ["Sprache & Region", "Langue et région", "Nyelv és régió", "اللغة والمنطقة", "שפה ואזור"],
  "Erase All Content and Settings": ["Alle Inhalte & Einstellungen löschen", "Effacer contenu et réglages",
    "Minden tartalom és beállítás törlése", "مسح كل المحتويات والإعدادات", "מחיקת כל התוכן וההגדרות"],
  "Erase this iPhone?": ["Dieses iPhone löschen?", "Effacer cet iPhone ?", "Törli ezt az iPhone-t?", "هل تريد مسح هذا الـ iPhone؟",
    "למחוק את ה-iPhone הזה?"],
  "Apps, notifications, permissions and settings go. The app is installed anew and gets another device token.": [
    "Apps, Mitteilungen, Erlaubnisse und Einstellungen gehen verloren. Die App wird neu installiert und bekommt ein anderes Token.",
    "Les apps, notifications, autorisations et réglages disparaissent. L’app est réinstallée et reçoit un autre jeton.",
    "Az appok, az értesítések, az engedélyek és a beállítások törlődnek. Az app újratelepül, és másik tokent kap.",
    "تُحذف التطبيقات والإشعارات والأذونات والإعدادات. يُعاد تثبيت التطبيق ويحصل على رمز جهاز آخر.",
    "האפליקציות, ההתראות, ההרשאות וההגדרות יימחקו. האפליקציה תותקן מחדש ותקבל אסימון מכשיר אחר."],
  "Cancel": ["Abbrechen", "Annuler", "Mégsem", "إلغاء", "ביטול"],
  "Erase iPhone": ["iPhone löschen", "Effacer l’iPhone", "iPhone törlése", "مسح الـ iPhone", "מחיקת ה-iPhone"],
  "Back": ["Zurück", "Retour", "Vissza", "رجوع", "חזרה"],
  "Notifications on": ["Mitteilungen ein", "Notifications activées", "Értesítések be", "الإشعارات مفعّلة", "התראות פועלות"],
  "Notifications off": ["Mitteilungen aus", "Notifications désactivées", "Értesítések ki", "الإشعارات متوقفة", "התראות כבויות"],
  "Allow Notifications": ["Mitteilungen erlauben", "Autoriser les notifications", "Értesítések engedélyezése", "السماح بالإشعارات",
    "אישור התראות"],
  "Alerts": ["Hinweise", "Alertes", "Figyelmeztetések", "التنبيهات", "הצגה"],
  "Lock Screen": ["Sperrbildschirm", "Écran verrouillé", "Zárolási képernyő", "شاشة القفل", "מסך נעול"],
  "Notification Center": ["Mitteilungszentrale", "Toutes les notifications", "Értesítési központ", "مركز الإشعارات", "מרכז ההתראות"],
  "Banners": ["Banner", "Bannières", "Bannerek", "اللافتات", "באנרים"],
  "Sounds": ["Töne", "Sons", "Hangok", "الأصوات", "צלילים"],
  "Badges": ["Kennzeichen", "Pastilles", "Jelvények", "الشارات", "תגים"],
  "Delivery": ["Zustellung", "Distribution", "Kézbesítés", "التسليم", "מסירה"],
  "Time Sensitive Notifications": ["Zeitkritische Mitteilungen", "Notifications urgentes", "Időérzékeny értesítések",
    "الإشعارات الحساسة للوقت", "התראות דחופות"],
  "Scheduled Summary": ["Geplante Übersicht", "Résumé programmé", "Ütemezett összegzés", "الملخص المجدول", "סיכום מתוזמן"],
  "Show Previews": ["Vorschauen zeigen", "Afficher les aperçus", "Előnézetek megjelenítése", "إظهار المعاينات", "הצגת תצוגות מקדימות"],
  "Always": ["Immer", "Toujours", "Mindig", "دائمًا", "תמיד"],
  "When Unlocked": ["Wenn entsperrt", "Si déverrouillé", "Ha fel van oldva", "عند فتح القفل", "כשלא נעול"],
  "Never": ["Nie", "Jamais", "Soha", "أبدًا", "לעולם לא"],
  "Press home to open": ["Zum Öffnen Home-Taste drücken", "Appuyez sur le bouton principal pour ouvrir", "A megnyitáshoz nyomja meg a Főgombot", "اضغط على زر الشاشة الرئيسية للفتح", "יש ללחוץ על כפתור הבית כדי לפתוח"],
  "Swipe up to open": ["Zum Öffnen nach oben streichen", "Balayez vers le haut pour ouvrir", "Húzza fel a megnyitáshoz", "اسحب للأعلى للفتح",
    "החלק מעלה לפתיחה"],
  "No notifications": ["Keine Mitteilungen", "Aucune notification", "Nincs értesítés", "لا توجد إشعارات", "אין התראות"],
  "Close notification center": ["Mitteilungszentrale schließen", "Fermer les notifications", "Értesítési központ bezárása",
    "إغلاق مركز الإشعارات", "סגירת מרכז ההתראות"],
  "Clear All": ["Alle löschen", "Tout effacer", "Összes törlése", "مسح الكل", "ניקוי הכול"],
  "No events today": ["Heute keine Ereignisse", "Aucun événement aujourd’hui", "Ma nincs esemény", "لا توجد أحداث اليوم", "אין אירועים היום"],
  "Options": ["Optionen", "Options", "Opciók", "خيارات", "אפשרויות"],
  "Clear": ["Löschen", "Effacer", "Törlés", "مسح", "ניקוי"],
  "Show less": ["Weniger anzeigen", "Afficher moins", "Kevesebb", "عرض أقل", "הצג פחות"],
  "%n more": ["%n weitere", "%n de plus", "még %n", "%n أخرى", "עוד %n"],
  "Time Sensitive": ["Zeitkritisch", "Urgent", "Időérzékeny", "حساس للوقت", "דחוף"],
  "Send": ["Senden", "Envoyer", "Küldés", "إرسال", "שליחה"],
  "Allow": ["Erlauben", "Autoriser", "Engedélyezés", "السماح", "אישור"],
  "Don’t Allow": ["Nicht erlauben", "Refuser", "Tiltás", "عدم السماح", "אל תאפשר"],
  "“%@” Would Like to Send You Notifications": ["„%@“ möchte dir Mitteilungen senden", "« %@ » souhaite vous envoyer des notifications",
    "A(z) „%@” értesítéseket szeretne küldeni", "يرغب «%@» في إرسال إشعارات إليك", "״%@״ רוצה לשלוח אליך התראות"],
  "Notifications may include alerts, sounds, and icon badges. These can be configured in Settings.": [
    "Mitteilungen können Hinweise, Töne und Symbolkennzeichen enthalten. Dies kann in den Einstellungen konfiguriert werden.",
    "Les notifications peuvent contenir des alertes, des sons et des pastilles d’icône. Ceci peut être configuré dans Réglages.",
    "Az értesítések figyelmeztetéseket, hangokat és ikonjelvényeket tartalmazhatnak. Ezek a Beállításokban módosíthatók.",
    "قد تتضمن الإشعارات تنبيهات وأصواتًا وشارات أيقونات. يمكن تغيير ذلك في الإعدادات.",
    "התראות עשויות לכלול הצגה, צלילים ותגי סמלים. אפשר לשנות זאת בהגדרות."],
  "Accept": ["Annehmen", "Accepter", "Fogadás", "قبول", "קבלה"],
  "Decline": ["Ablehnen", "Refuser", "Elutasítás", "رفض", "דחייה"],
  "End": ["Beenden", "Raccrocher", "Befejezés", "إنهاء", "סיום"],
  "Live Activities": ["Live-Aktivitäten", "Activités en direct", "Élő tevékenységek", "الأنشطة المباشرة", "פעילויות בזמן אמת"],
  "Background App Refresh": ["Hintergrundaktualisierung", "Actualisation en arrière-plan", "Frissítés a háttérben",
    "تحديث التطبيقات في الخلفية", "רענון אפליקציות ברקע"],
};

/** The word in the region's language. */
const translated = (word, language) => table[word]?.[languages.indexOf(language)] ?? word;

const languageOf = (region) => (region?.locale ?? "en").split("-")[0];

/** The word in the language of the region, for a text that is made anew each time it is drawn. */
export const said = (word, region) => translated(word, languageOf(region));

/** An element's text that is one of the words, whatever the language. */
export const worded = (word) => ({ text: word, data: { word } });

/** Puts all words below the element, and those that are only spoken, into the language of the region. */
export function translate(element, region) {
  const language = languageOf(region);
  setAttribute(element, "lang", language);
  for (const part of element.querySelectorAll("[data-word]")) setText(part, translated(part.dataset.word, language));
  for (const part of element.querySelectorAll("[data-spoken]")) setAttribute(part, "aria-label", translated(part.dataset.spoken, language));
}
