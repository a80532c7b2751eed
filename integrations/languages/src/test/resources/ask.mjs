// Asks gateways until so many requests are admitted, and then some more. Arguments: user, permits, gateways.
import { DecisionClient } from "quota-enforcer";

const [user, permits, ...gateways] = process.argv.slice(2);
const clients = gateways.map((gateway) => new DecisionClient(gateway, { timeoutMillis: 5_000, onFailure: "refuse" }));
const end = Date.now() + 40_000;
const answers = [];
const ask = async (count) => {
  for (let i = 0; i < count; i += 8) {
    const asked = Array.from({ length: 8 }, (_, j) => clients[j % clients.length].decide({ user }));
    answers.push(...(await Promise.all(asked)));
  }
};
while (answers.filter(({ admitted }) => admitted).length < permits && Date.now() < end) {
  await ask(16);
}
await ask(200);

const failures = answers.filter(({ failure }) => failure).map(({ failure }) => failure);
console.log(`admitted ${answers.filter(({ admitted }) => admitted).length}, failed ${failures.length} [${failures[0] ?? ""}]`);
console.log(`${(Date.now() - end) / 1_000 + 40} s, statuses [${[...new Set(answers.map(({ status }) => status))].sort().join(", ")}]`);
