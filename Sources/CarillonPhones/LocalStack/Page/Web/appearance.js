// Dark Appearance of the phones: as the browser's, until a person chooses another in a phone's Settings.

const darkness = matchMedia("(prefers-color-scheme: dark)");
const key = (phone) => `appearance:${phone}`;

/**
 * Lets a phone follow the browser.
 *
 * @param {string} phone its id
 * @param {() => boolean} isDark whether the phone has Dark Appearance now
 * @param {(on: boolean) => void} set changes it
 */
export function followBrowser(phone, isDark, set) {
  const follow = () => {
    const made = read(phone);
    // The page takes back what it has set itself; another browser may have set the rest.
    const mayChange = darkness.matches ? made !== "chosen" : made === "followed";
    if (!mayChange || darkness.matches === isDark()) return;
    write(phone, darkness.matches ? "followed" : "");
    set(darkness.matches);
  };
  darkness.addEventListener("change", follow);
  follow();
}

/** Notes that a person has chosen a phone's appearance. */
export const appearanceWasChosen = (phone) => write(phone, "chosen");

function read(phone) {
  try {
    return localStorage.getItem(key(phone));
  } catch {
    return null;
  }
}

function write(phone, value) {
  try {
    localStorage.setItem(key(phone), value);
  } catch {
    // Nothing is kept beyond this page.
  }
}
