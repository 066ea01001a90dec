// The marks of events, what they mean, and where their names are written.

const SHAPES = ['call', 'bad', 'completion', 'event', 'packet', 'ack', 'event'];

// Kind, level, whether it is hollow, and words.
const LEGEND = [
  [0, 0, false, 'call'], [2, 0, false, 'completion'], [2, 1, true, 'flushed at the end'], [3, 0, false, 'event'],
  [4, 0, false, 'packet'], [5, 0, false, 'acknowledgement'], [4, 2, true, 'sent again'], [4, 2, false, 'warning'],
  [2, 3, false, 'error'],
];

function drawMark(painter, c, kind, level, isHollow, x, y) {
  const color = level === 3 ? c.bad : level === 2 ? c.warn : c[SHAPES[kind]];
  if (level === 3) painter.shape([[x, y - 8], [x + 8, y + 6], [x - 8, y + 6]], color);
  else if (level === 2) {
    painter.shape([[x, y - 7], [x + 7, y], [x, y + 7], [x - 7, y]], color);
    if (isHollow) painter.shape([[x, y - 4], [x + 4, y], [x, y + 4], [x - 4, y]], c.back);
  } else if (isHollow) painter.ring(x, y, 4, c.warn);
  else if (kind === 2) painter.circle(x, y, 4.5, color);
  else if (kind === 3 || kind === 6) painter.shape([[x, y - 5], [x + 5, y], [x, y + 5], [x - 5, y]], color);
  else if (kind === 4) painter.rect(x - 2, y - 7, 4, 14, color);
  else if (kind === 5) painter.rect(x - 1.5, y - 5, 3, 10, color);
  else painter.rect(x - 4, y - 4, 8, 8, color);
}

// As text of the page.
function showLegend(element) {
  const c = colors();
  element.replaceChildren();
  for (const [kind, level, isHollow, words] of LEGEND) {
    const painter = new SvgPainter(18, 18, () => 0);
    drawMark(painter, c, kind, level, isHollow, 9, 9);
    const item = element.appendChild(make('span', 'legend-item'));
    item.innerHTML = painter.document('');
    item.firstElementChild.setAttribute('aria-hidden', 'true');
    item.append(words);
  }
  element.appendChild(make('span', 'legend-item legend-flow', 'what belongs to the chosen event'));
  element.appendChild(make('span', 'legend-item legend-wire', 'what was sent on the wire'));
}

// As part of a picture.
function paintLegend(painter, c, y) {
  let x = 14;
  for (const [kind, level, isHollow, words] of LEGEND) {
    drawMark(painter, c, kind, level, isHollow, x, y);
    painter.text(x + 12, y + 4, words, c.soft);
    x += 36 + painter.width(words);
  }
}

// What was flushed as it should be, and packets that were sent again, if no others are missing before them.
function isHollow(model, i) {
  return isSentAgain(model, i) && !isGap(model, i) || model.kind[i] === 2 && model.level[i] === 1 && model.words[model.status[i]] === 'WORK_REQUEST_FLUSHED';
}

function captionOf(model, i) {
  if (model.ends.includes(i)) return 'trace ends';
  const name = nameOf(model, i).replace('RDMA_CM_EVENT_', '').replace(/^ibv_|^rdma_/, '');
  const operation = model.words[model.operation[i]].replaceAll('_', ' ');
  const status = model.words[model.status[i]];
  if (model.kind[i] === 6) return status.replaceAll('_', ' ') || name.replace(/^[a-z]+\./, ''); // recorded by JFR
  if (name === 'completion') return status && status !== 'SUCCESS' ? status.replaceAll('_', ' ') : operation;
  return name === 'post_send' ? operation : name;
}

// Writes names where they fit: between two marks of a lane there is room for that of the left one at its right, or for
// that of the right one at its left. What stands out comes first. Lines end at a name, so that it can be read.
function paintCaptions(painter, c, model, marks, left, right) {
  const lanes = new Map();
  for (const mark of marks) {
    const lane = model.lane[mark.i];
    if (!lanes.has(lane)) lanes.set(lane, []);
    lanes.get(lane).push(mark);
  }
  for (const [n, lane] of lanes) paintLaneCaptions(painter, c, model, lane, left, right, model.lanes[n].group === 'wire' ? c.band : c.back);
}

function paintLaneCaptions(painter, c, model, lane, left, right, back) {
  const names = [];
  const gaps = [];
  for (let n = 0; n <= lane.length; n++) {
    gaps.push({
      from: Math.max(left + 3, n ? lane[n - 1].x + 10 : 0),
      to: Math.min(right - 3, n < lane.length ? lane[n].x - 10 : right),
    });
  }
  let free = left;
  for (const level of [3, 2, 1, 0]) {
    lane.forEach((mark, n) => {
      if (model.level[mark.i] !== level || mark.x < left || mark.x > right) return;
      const words = captionOf(model, mark.i);
      const isDone = placeName(names, painter, words, level > 1, mark.y, gaps[n], gaps[n + 1]);
      const isFollower = model.words[model.status[mark.i]] === 'WORK_REQUEST_FLUSHED';
      if (!isDone && level === 3 && !isFollower) free = placeBelow(names, painter, words, mark, free, right);
    });
  }
  for (const { x, y, width } of names) painter.rect(x - 1, y - 8, width + 2, 11, back);
  for (const { x, y, words, bold } of names) painter.text(x, y, words, c.text, bold);
}

// Whether there was room for it.
function placeName(names, painter, words, bold, y, before, behind) {
  const width = painter.width(words, bold);
  if (width <= behind.to - behind.from) {
    names.push({ x: behind.from, y: y + 4, words, bold, width });
    behind.from += width + 8;
  } else if (width <= before.to - before.from) {
    names.push({ x: before.to - width, y: y + 4, words, bold, width });
    before.to -= width + 8;
  } else {
    return false;
  }
  return true;
}

// Below the marks, for failures, which must not be without a name; what was flushed behind them may. Returns where there is room for the next one.
function placeBelow(names, painter, words, mark, free, right) {
  const width = painter.width(words, true);
  const x = Math.min(Math.max(free, mark.x - width / 2), right - width - 3);
  if (x < free || x > mark.x) return free;
  if (x < free) return free;
  names.push({ x, y: mark.y + 13, words, bold: true, width });
  return x + width + 8;
}
