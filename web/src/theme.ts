// Light and dark: by the system's wish, or the button's; and the colours that drawings share with the style sheet.

export interface Colours {
  dark: boolean;
  paper: string;
  card: string;
  ink: string;
  soft: string;
  faint: string;
  grid: string;
  line: string;
  accent: string;
}

const listeners: (() => void)[] = [];
let cached: Colours | null = null;

const system = () => window.matchMedia("(prefers-color-scheme: dark)");
let printing = false;

export function isDark(): boolean {
  if (printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system().matches;
}

export function colours(): Colours {
  if (cached) return cached;
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(`--${name}`).trim() || "#888";
  cached = { dark: isDark(), paper: get("paper"), card: get("card"), ink: get("ink"), soft: get("soft"), faint: get("faint"), grid: get("grid"), line: get("line"), accent: get("accent") };
  return cached;
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

function changed(): void {
  cached = null;
  for (const listener of listeners) listener();
}

export function toggleTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  changed();
}

export function watchTheme(): void {
  system().addEventListener("change", changed);
  const print = (on: boolean) => () => {
    printing = on;
    document.documentElement.classList.toggle("printing", on);
    changed();
  };
  window.addEventListener("beforeprint", print(true));
  window.addEventListener("afterprint", print(false));
}
