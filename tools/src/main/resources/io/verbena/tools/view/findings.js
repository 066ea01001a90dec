// What the page has to say: a card for each finding, the worst first, and what could not be read. One card is open, until
// it is closed or another finding is chosen.

class Cards {
  constructor(model, list, onPick, onOnly, onClose) {
    Object.assign(this, { model, list, onPick, onOnly, onClose, open: null });
    const add = element => list.appendChild(make('li')).appendChild(element);
    if (model.problems.length > 1) add(moreProblems(model.problems));
    else for (const problem of model.problems) add(make('p', 'note level-2', 'Not read: ' + problem));
    this.cards = new Map(model.findings.slice(0, 100).map(finding => [finding, add(this.card(finding))]));
    if (model.findings.length > 100) list.appendChild(make('li', 'hint', `and ${model.findings.length - 100} more`));
    if (!model.findings.length) list.appendChild(make('li', 'hint', 'Nothing stands out: no error, nothing sent twice, nothing left open.'));
    for (const note of model.notes) add(withOptions(make('p', 'note level-1'), note));
  }

  // What went wrong; once it is open, why, what to do, the facts that show it, and the events that led to it.
  card(finding) {
    const card = make('section', 'card level-' + finding.level);
    const title = card.appendChild(make('button', 'finding-title', finding.title));
    title.type = 'button';
    title.setAttribute('aria-expanded', false);
    title.addEventListener('click', () => this.open === card ? this.close() : this.onPick(finding.event, finding));
    return card;
  }

  close() {
    this.onClose(); // takes out of the card what is not its own
    while (this.open.children.length > 1) this.open.lastChild.remove();
    this.open.firstChild.setAttribute('aria-expanded', false);
    this.open = null;
  }

  // The card of the chosen finding, with its chosen event.
  show(i, story) {
    const card = this.cards.get(story.finding) || this.open;
    if (this.open && this.open !== card) this.close();
    if (card && this.open !== card) {
      card.firstChild.setAttribute('aria-expanded', true);
      card.append(...this.body(story));
    }
    this.open = card;
    for (const step of this.steps) step.classList.toggle('chosen', Number(step.dataset.event) === i);
  }

  get steps() { return this.open ? Array.from(this.open.querySelectorAll('.step')) : []; }

  // The last step that is not later than an event.
  stepAt(i) { return this.steps.findLast(step => Number(step.dataset.event) <= i); }

  body({ finding, events }) {
    const why = make('p', 'why');
    why.append(make('strong', '', 'Why: '), finding.explanation);
    const remedy = make('p', 'why');
    remedy.append(make('strong', '', 'What to do: '), finding.remedy);
    const facts = make('dl', 'facts');
    const keys = finding.facts.map(([, value]) => (/^0x[0-9a-f]+/.exec(value) || [''])[0]);
    finding.facts.forEach(([name, value], n) => {
      const other = keys.find((key, at) => at !== n && key.length === keys[n].length) || '';
      facts.append(make('dt', '', name), withDifference(make('dd'), value, keys[n], other));
    });
    const head = make('h3', '', 'What led to it ');
    head.append(button('Show only this (o)', () => this.onOnly(events)));
    const steps = make('ol');
    finding.steps.forEach((step, n) => {
      if (finding.more && n === finding.moreAt) steps.appendChild(make('li', 'hint', `and ${finding.more} more steps`));
      steps.appendChild(make('li')).appendChild(stepButton(this.model, step.event, n + 1, capital(step.why),
        nameAndNumber(this.model, step.event), event => this.onPick(event, undefined, true)));
    });
    return [finding.explanation && why, finding.remedy && remedy, finding.facts.length && facts, head, steps].filter(Boolean);
  }
}

// Many of them must not push the findings out of sight.
function moreProblems(problems) {
  const all = make('details', 'note level-2');
  all.appendChild(make('summary', '', `${problems.length} things could not be read`));
  for (const problem of problems) all.appendChild(make('p', '', problem));
  return all;
}

// Marks the digits of the key, with which the words begin, that another key has not.
function withDifference(element, words, key, other) {
  if (!key || !other) { element.textContent = words; return element; }
  const digits = element.appendChild(make('code'));
  Array.from(key, (digit, n) => digits.append(digit === other[n] ? digit : make('mark', '', digit)));
  element.append(words.slice(key.length));
  return element;
}

// Options of Java do not break at their hyphen.
function withOptions(element, words) {
  for (const part of words.split(/(-D[\w.]+)/)) element.append(part.startsWith('-D') ? make('code', '', part) : part);
  return element;
}

function capital(words) { return words.slice(0, 1).toUpperCase() + words.slice(1); }
