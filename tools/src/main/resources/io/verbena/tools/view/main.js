// Puts the parts together.

const NARROW = matchMedia('(max-width: 860px)');

class View {
  constructor(model) {
    this.model = model;
    this.chosen = -1;
    this.story = { finding: undefined, flows: [], events: new Set() };
    const pick = (i, finding, isStep) => this.pick(i, finding, isStep);
    const only = events => this.only(events);
    this.filter = new Filter(model);
    this.timeline = new Timeline(model, this.filter, document.getElementById('canvas'), pick);
    this.list = new EventList(model, this.filter, document.getElementById('scroller'), pick);
    this.details = new Details(model, document.getElementById('details'), pick, only);
    this.cards = new Cards(model, document.getElementById('finding-list'), pick, only, () => this.placeDetails());
    this.fillFilters();
    this.buttons();
    listenToKeys(this);
    this.tell();
    addEventListener('resize', () => this.redraw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
    this.redraw();
    // The worst is what the reader came for.
    const [worst] = model.findings;
    if (worst) this.show(worst.event, worst);
  }

  redraw() {
    if (!document.documentElement.dataset.chosenTheme) setTheme(systemTheme());
    showLegend(document.getElementById('legend'));
    this.timeline.draw();
    this.list.draw();
  }

  // finding: the one that the reader chose; what belongs to it stays together until something else is chosen.
  show(i, finding, isStep = false) {
    const about = finding || (this.story.events.has(i) ? this.story.finding : findingOf(this.model, i));
    this.chosen = i;
    this.story = storyOf(this.model, i, about);
    this.timeline.choose(i, this.story);
    if (finding) this.timeline.frame(inOrder(this.story.events), i);
    this.list.choose(i, this.story.events);
    this.details.show(i, this.story);
    this.cards.show(i, this.story);
    this.placeDetails(isStep || !finding && about && !NARROW.matches ? this.cards.stepAt(i) : undefined);
    this.tell();
  }

  // isStep: chosen in the card, not elsewhere.
  pick(i, finding, isStep) {
    this.show(i, finding, isStep);
    // On a narrow screen the timeline is below the fold.
    if (NARROW.matches && finding) document.getElementById('timeline').scrollIntoView({ block: 'start' });
    else if (!NARROW.matches) (finding ? this.cards.open : this.details.body).scrollIntoView({ block: finding ? 'start' : 'nearest' });
  }

  // Between the steps of the open card, in their order. On a narrow screen, what is not chosen there stays below the
  // timeline.
  placeDetails(step) {
    if (step) step.after(this.details.body);
    else document.getElementById('story').append(this.details.body);
  }

  // Shows just these events.
  only(events) {
    if (this.chosen < 0 || events.size < 2) { this.say('the chosen event belongs to no request'); return; }
    this.resetFilters();
    this.filter.only = events;
    this.refilter();
  }

  // The line at the top; more: something that the reader just did and that had no other effect.
  tell(more = '') {
    const { model, filter } = this;
    const count = model.findings.length;
    const words = [`${filter.shown.length} of ${model.count} events`, `${milliseconds(model.end)} ms`,
      `${count} ${count === 1 ? 'finding' : 'findings'}`];
    if (filter.only) words.push('only what belongs together (Escape shows all)');
    if (this.timeline.focus) words.push('only the lanes of the finding (Escape shows all)');
    if (this.chosen >= 0 && !filter.mask[this.chosen]) words.push('the chosen event is hidden by the filters (Escape clears them)');
    for (const id of ['by-from', 'by-to']) {
      const isWrong = document.getElementById(id).getAttribute('aria-invalid') === 'true';
      if (isWrong) words.push(`"${document.getElementById(id).value}" is no time in ms`);
    }
    if (more) words.push(more);
    document.getElementById('summary').textContent = words.join(', ');
    document.getElementById('axis').textContent = 'Axis: ' + (this.timeline.byOrder ? 'order' : 'time');
  }

  say(words) { this.tell(words); }

  fillFilters() {
    const { model } = this;
    const word = value => model.words[value];
    this.choices('by-qp', queuePairChoices(model), value => {
      const [qp, peer = -1] = value.split(' ').map(Number);
      Object.assign(this.filter, { qp, peer });
    });
    this.choices('by-operation', choicesOf(model.operation, word), value => { this.filter.operation = Number(value); });
    this.choices('by-status', choicesOf(model.status, word), value => { this.filter.status = Number(value); });
    const read = (id, apply) => document.getElementById(id).addEventListener('input', e => { apply(e.target.value); this.refilter(); });
    const time = (id, value, otherwise) => {
      const isNumber = Number.isFinite(Number(value));
      document.getElementById(id).setAttribute('aria-invalid', !isNumber);
      return value.trim() && isNumber ? Number(value) * 1e6 : otherwise;
    };
    read('by-level', value => { this.filter.level = Number(value); });
    read('by-from', value => { this.filter.from = time('by-from', value, -Infinity); });
    read('by-to', value => { this.filter.to = time('by-to', value, Infinity); });
    read('by-text', value => { this.filter.text = value.trim(); });
    document.getElementById('filters').addEventListener('submit', e => e.preventDefault());
  }

  choices(id, choices, apply) {
    const select = document.getElementById(id);
    select.add(new Option('all', -1));
    for (const choice of choices.slice(0, 2000)) select.add(new Option(choice.label, choice.value));
    select.addEventListener('input', () => { apply(select.value); this.refilter(); });
  }

  refilter() {
    this.filter.apply();
    this.list.resize();
    this.timeline.refilter();
    if (this.chosen >= 0) {
      this.timeline.choose(this.chosen, this.story);
      this.list.choose(this.chosen, this.story.events);
    }
    this.tell();
  }

  resetFilters() {
    document.getElementById('filters').reset();
    for (const id of ['by-from', 'by-to']) document.getElementById(id).setAttribute('aria-invalid', false);
    for (const id of ['by-qp', 'by-operation', 'by-status']) document.getElementById(id).value = -1;
    this.filter.clear();
  }

  clearFilters() {
    this.resetFilters();
    this.refilter();
  }

  move(step) {
    const { shown } = this.filter;
    if (!shown.length) return;
    const at = this.chosen < 0 ? (step > 0 ? -1 : shown.length) : firstAt(shown, this.chosen);
    this.pick(shown[Math.max(0, Math.min(shown.length - 1, at + step))]);
  }

  moveToProblem(step) {
    const { model, filter } = this;
    for (let i = this.chosen < 0 && step < 0 ? model.count - 1 : this.chosen + step; i >= 0 && i < model.count; i += step) {
      if (filter.mask[i] && model.level[i] > 0) { this.pick(i); return; }
    }
    this.say(step > 0 ? 'no later event stands out' : 'no earlier event stands out');
  }

  moveInStory(step) {
    if (this.chosen < 0) return;
    const events = inOrder(this.story.events);
    const next = events[events.indexOf(this.chosen) + step];
    if (next !== undefined) this.pick(next);
    else this.say(events.length > 1 ? `nothing ${step > 0 ? 'later' : 'earlier'} belongs to it` : 'the chosen event belongs to no request');
  }

  showAll() {
    this.timeline.showAll();
    this.timeline.draw();
  }

  toggleAxis() {
    this.timeline.setAxis(!this.timeline.byOrder);
    this.tell();
  }

  toggleTheme() {
    document.documentElement.dataset.chosenTheme = 'yes';
    setTheme(currentTheme() === 'dark' ? 'light' : 'dark');
    this.redraw();
  }

  save() {
    const link = make('a');
    link.download = (this.model.title.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 80) || 'timeline') + '.svg';
    link.href = URL.createObjectURL(new Blob([this.timeline.svg()], { type: 'image/svg+xml' }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  buttons() {
    const on = (id, action) => document.getElementById(id).addEventListener('click', action);
    on('clear', () => this.clearFilters());
    on('axis', () => this.toggleAxis());
    on('zoom-in', () => this.timeline.zoom(1 / 1.5));
    on('zoom-out', () => this.timeline.zoom(1.5));
    on('zoom-all', () => this.showAll());
    on('export', () => this.save());
    on('theme', () => this.toggleTheme());
    on('help', () => document.getElementById('keys').showModal());
  }
}

readData(document.getElementById('data')).then(model => {
  setTheme(currentTheme());
  globalThis.view = new View(model);
}).catch(error => {
  document.getElementById('summary').textContent = 'The page could not read its data: ' + error.message
    + '. It needs a browser of 2023 or newer.';
});
