import {h, say} from './dom.js';

/**
 * Asks before something is changed, in a dialog that the keyboard stays in and Escape leaves.
 *
 * @param yes the button that goes on
 * @param reason whether to ask why, too
 * @returns null to leave it, or else the reason, which may be empty
 */
function confirmed(question, yes, reason) {
  return new Promise((resolve) => {
    const why = h('input', {name: 'why', maxlength: '500', placeholder: 'by hand'});
    const dialog = h('dialog', {'aria-label': question},
      h('form', {method: 'dialog'},
        h('p', null, question),
        reason ? h('label', null, 'Reason', why) : null,
        h('div', {class: 'row'},
          h('button', {class: 'main', value: 'yes'}, yes),
          h('button', {value: 'no'}, 'Leave it'))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes' ? why.value.trim() : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * A button that changes something once that is confirmed, and says what came of it.
 *
 * @param change what it does: `text`, `label` (for those who do not see the row), `question`, `yes`,
 *     `reason`, `enabled` (whether it may be pressed again), `run` (gets the reason, returns what to say), `said` (an element for it)
 */
export function changing({text, label, question, yes, reason = false, enabled = () => true, run, said}) {
  const button = h('button', {
    'aria-label': label,
    onclick: async () => {
      const why = await confirmed(question(), yes, reason);
      button.focus();
      if (why === null) return;
      button.disabled = true;
      try {
        tell(said, await run(why), 'good');
      } catch (failure) {
        tell(said, failure.message, 'bad');
      }
      button.disabled = !enabled();
    },
  }, text);
  return button;
}

function tell(said, text, looks) {
  said.className = looks;
  said.textContent = text;
  say(text);
}
