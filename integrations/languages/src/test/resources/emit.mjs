// Emits events, of which each tenth comes again. Arguments: bootstrap servers, registry (or nothing), user, events.
import { RequestEventEmitter } from "quota-enforcer";

const [bootstrapServers, url, user, count] = process.argv.slice(2);
const events = new RequestEventEmitter({ bootstrapServers, service: "node", registry: url ? { url } : undefined });
const again = new RequestEventEmitter({ bootstrapServers, service: "node", registry: url ? { url } : undefined });
for (let i = 0; i < count; i++) {
  const id = `${user}-node-${i}`;
  events.emit({ user }, { id });
  if (i % 10 === 0) {
    events.emit({ user }, { id });
    again.emit({ user }, { id, timeMillis: Date.now() - 1 });
  }
}
events.emit({ user }, { outcome: "THROTTLED", cost: 7 });
await Promise.all([events.close(), again.close()]);
console.log(`acknowledged ${events.acknowledged + again.acknowledged}, dropped ${events.dropped + again.dropped}`);
