// The words of a phone's Settings app, in the languages of the regions that a phone offers.

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
  "Background App Refresh": ["Hintergrundaktualisierung", "Actualisation en arrière-plan", "Frissítés a háttérben",
    "تحديث التطبيقات في الخلفية", "רענון אפליקציות ברקע"],
};

/** The word in the region's language. */
const translated = (word, language) => table[word]?.[languages.indexOf(language)] ?? word;

/** An element's text that is one of the words, whatever the language. */
export const worded = (word) => ({ text: word, data: { word } });

/** Puts all words below the element, and those that are only spoken, into the language of the region. */
export function translate(element, region) {
  const language = (region?.locale ?? "en").split("-")[0];
  setAttribute(element, "lang", language);
  for (const part of element.querySelectorAll("[data-word]")) setText(part, translated(part.dataset.word, language));
  for (const part of element.querySelectorAll("[data-spoken]")) setAttribute(part, "aria-label", translated(part.dataset.spoken, language));
}
