// Light or dark: as the system has it, until the reader chooses.

const COLORS = {
  light: { back: '#ffffff', band: '#f5f6f8', line: '#d5d9e0', text: '#1b1f27', soft: '#5a6472', accent: '#1f5fd0',
    call: '#3767b1', completion: '#1d7f4e', event: '#7a4bb5', packet: '#4d6a7d', ack: '#9db0bd', warn: '#c07c00',
    bad: '#cc1f2b', flow: '#1f5fd0', faint: '#b9c3d2' },
  dark: { back: '#14171c', band: '#1c2027', line: '#353c48', text: '#e6e9ee', soft: '#9aa5b4', accent: '#7db0ff',
    call: '#7fa8ea', completion: '#5cc78e', event: '#bd96ee', packet: '#9bb6c8', ack: '#5f7280', warn: '#ffb938',
    bad: '#ff6b74', flow: '#7db0ff', faint: '#465061' },
};

function systemTheme() {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function currentTheme() { return document.documentElement.dataset.theme || systemTheme(); }

function setTheme(theme) { document.documentElement.dataset.theme = theme; }

function colors() { return COLORS[currentTheme()]; }
