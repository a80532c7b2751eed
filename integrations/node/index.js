export { RequestEventEmitter } from "./events.js";
export { DecisionClient } from "./decisions.js";
