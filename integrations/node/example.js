import { RequestEventEmitter } from "quota-enforcer";

const [bootstrapServers, user] = process.argv.slice(2);
const events = new RequestEventEmitter({ bootstrapServers, service: "web" });
for (let i = 0; i < 4; i++) {
  events.emit({ user, api: "POST /posts" });
}
await events.close();
console.log(`4 posts of user ${user}, ${events.dropped} of them not sent`);
