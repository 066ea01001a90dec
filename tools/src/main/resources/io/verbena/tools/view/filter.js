// Which events are shown.

class Filter {
  constructor(model) {
    this.model = model;
    this.mask = new Uint8Array(model.count);
    // How many shown events are before each one: its place when those that are not shown take none.
    this.rank = new Int32Array(model.count);
    this.clear();
  }

  // Fills the mask, and the list of the numbers of shown events.
  apply() {
    const model = this.model;
    const found = this.text ? this.textsWith(this.text.toLowerCase()) : null;
    let shown = 0;
    for (let i = 0; i < model.count; i++) {
      const is = (this.qp < 0 || model.qp[i] === this.qp || this.peer >= 0 && model.qp[i] === this.peer)
        && (!this.only || this.only.has(i))
        && (this.operation < 0 || model.operation[i] === this.operation)
        && (this.status < 0 || model.status[i] === this.status)
        && model.level[i] >= this.level
        && model.time[i] >= this.from && model.time[i] <= this.to
        && (!found || this.contains(found, i));
      this.mask[i] = is ? 1 : 0;
      this.rank[i] = shown;
      if (is) shown++;
    }
    this.shown = new Int32Array(shown);
    for (let i = 0, at = 0; i < model.count; i++) if (this.mask[i]) this.shown[at++] = i;
  }

  // Texts are searched once each, not once for each event.
  textsWith(words) {
    const model = this.model;
    const has = text => text.toLowerCase().includes(words) ? 1 : 0;
    // Only a whole number is meant as one: "psn=3" is not the beginning of "psn=30".
    const wrId = /^wr_id[ =]*(-?\d+|0x[\da-f]+)$/.exec(words);
    const psn = /^psn[ =]*(\d+|0x[\da-f]+)$/.exec(words);
    return { texts: model.texts.map(has), words: model.words.map(has), wrId: wrId ? BigInt(wrId[1]) : null,
      psn: psn ? Number(psn[1]) : null, lanes: model.lanes.map(lane => has(lane.title)) };
  }

  contains(found, i) {
    const model = this.model;
    if (found.wrId !== null) return model.hasWrId[i] && model.wrId[i] === found.wrId;
    if (found.psn !== null) return model.psn[i] === found.psn;
    return found.texts[model.text[i]] || found.words[model.name[i]] || found.words[model.status[i]]
      || found.texts[model.note[i]] || found.lanes[model.lane[i]];
  }

  get isOn() { return this.shown.length < this.model.count; }

  clear() {
    Object.assign(this, { qp: -1, peer: -1, only: null, operation: -1, status: -1, level: 0, from: -Infinity, to: Infinity, text: '' });
    this.apply();
  }
}

// The choices of a filter: what occurs in the data.
function choicesOf(column, label) {
  const values = Array.from(new Set(column)).sort((a, b) => a - b);
  return values.map(value => ({ value, label: label(value) })).filter(choice => choice.label);
}

// Both sides of each connection first, then each queue pair alone. The value names one number, or both.
function queuePairChoices(model) {
  return model.connections.map(([a, b]) => ({ value: a + ' ' + b, label: `${hex(a)} ↔ ${hex(b)}` }))
    .concat(choicesOf(model.qp, qp => qp >= 0 ? hex(qp) : ''));
}
