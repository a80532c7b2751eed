package io.quotaenforcer.enforcer.api;

import static io.quotaenforcer.enforcer.api.ApiField.integer;
import static io.quotaenforcer.enforcer.api.ApiField.list;
import static io.quotaenforcer.enforcer.api.ApiField.object;
import static io.quotaenforcer.enforcer.api.ApiField.text;

import com.linecorp.armeria.common.HttpMethod;
import io.quotaenforcer.server.access.Role;

/**
 * The operation that runs rules on past requests; the fields are those of the command, and more.
 */
final class BacktestRoute {
  static final String SPAN = "span";

  static final ApiRoute ROUTE =
      ApiRoute.of(
              HttpMethod.POST,
              "/rules:backtest",
              Role.OPERATOR,
              new ApiRoute.Body(
                  ApiRoute.YAML,
                  ApiRoutes.FILE_BYTES,
                  "A rule file, with a rule or several of a domain."),
              "Runs the rules of a file on the request events of the topic, up to now: what they"
                  + " would have decided, and what happened. With `Accept: text/event-stream` the"
                  + " answer is events: `progress` (`events`, and the `share` of the span) while it"
                  + " runs, and `result` or `problem` at its end.")
          .asking(
              new ApiField(
                  SPAN,
                  "string",
                  false,
                  "How far back: a duration such as 30m, 1m to 7d; 1h if absent."))
          .answering(
              text("from", "The beginning of the span."),
              text("until", "Its end."),
              ApiField.number(
                  "share", "The part of the span that was seen, from its beginning, 0 to 1."),
              text(
                      "stopped",
                      "Why not all of it was: `events` or `time`, of which there is a most; absent"
                          + " when all was.")
                  .optional(),
              integer("tookMillis", "How long it ran."),
              object(
                  "happened",
                  "The requests by the outcome that services reported: `admitted`, `throttled` and"
                      + " `deferred`."),
              text("input", "The topic."),
              text("first", "Time of the first request."),
              text("last", "Time of the last request."),
              integer("read", "Events: requests, repeated and unreadable ones."),
              integer("repeated", "Repetitions of earlier events."),
              integer("unreadable", "Events that are not requests."),
              integer("requests", "Those that were decided."),
              integer("admitted", "Requests that the rules would have admitted."),
              integer("throttled", "Requests that they would have throttled."),
              integer("unmatched", "Requests that no rule of the file matches."),
              integer("late", "Events too late to be put in order."),
              integer(
                  "forgottenKeys",
                  "Quota keys of which the use was forgotten, since there were too many."),
              ApiField.flag("keysExact", "Whether each quota key was counted throughout."),
              list(
                  "perRule",
                  "`rule`, `mode`, `enforcement`, `limit`, `periodSeconds`, `requests`, `admitted`,"
                      + " `throttled`, `throttledByOthers`, `admittedPermits`, `rounded`,"
                      + " `penalties`, and what `happened` to the requests that it matches."),
              list(
                  "topKeys",
                  "The quota keys that would have been throttled most: `quotaKey`, `requests`,"
                      + " `admitted`, `throttled`, `throttledByOthers`."),
              object(
                      "against",
                      "What the rules in force with the same ids would have decided, and what"
                          + " changes: `admitted`, `throttled`, `unmatched`, `newlyThrottled`,"
                          + " `newlyAdmitted`, `perRule`, `topKeys`; absent for new rules.")
                  .optional(),
              list("unmatchedRules", "Notes on rules that match hardly anything."),
              list("unreadableFirst", "The first events that are not requests, and why."))
          .replying(ApiRoute.Reply.JSON_OR_EVENTS);

  private BacktestRoute() {}
}
