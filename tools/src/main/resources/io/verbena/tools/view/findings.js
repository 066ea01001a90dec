// What the page has to say: findings, the worst first, and what could not be read.

function showFindings(model, list, onPick) {
  const add = element => list.appendChild(make('li')).appendChild(element);
  if (model.problems.length > 1) add(moreProblems(model.problems));
  else for (const problem of model.problems) add(make('p', 'note level-2', 'Not read: ' + problem));
  for (const finding of model.findings.slice(0, 100)) add(card(finding, onPick));
  if (model.findings.length > 100) list.appendChild(make('li', 'hint', `and ${model.findings.length - 100} more`));
  if (!model.findings.length) list.appendChild(make('li', 'hint', 'Nothing stands out: no error, nothing sent twice, nothing left open.'));
  for (const note of model.notes) add(make('p', 'note level-1', note));
}

// Many of them must not push the findings out of sight.
function moreProblems(problems) {
  const all = make('details', 'note level-2');
  all.appendChild(make('summary', '', `${problems.length} things could not be read`));
  for (const problem of problems) all.appendChild(make('p', '', problem));
  return all;
}

// What went wrong, the facts, why, and what to do.
function card(finding, onPick) {
  const button = make('button', 'level-' + finding.level);
  button.type = 'button';
  button.dataset.event = finding.event;
  button.appendChild(make('span', 'finding-title', finding.title));
  const facts = make('span', 'facts');
  for (const [name, value] of finding.facts) facts.append(make('span', 'fact', name), make('span', '', value));
  if (finding.facts.length) button.appendChild(facts);
  button.appendChild(make('span', 'why', finding.explanation));
  if (finding.remedy) {
    const remedy = button.appendChild(make('span', 'why'));
    remedy.append(make('strong', '', 'What to do: '), finding.remedy);
  }
  button.appendChild(make('span', 'go', 'Show the moment on the timeline'));
  button.addEventListener('click', () => onPick(finding.event, finding));
  return button;
}
