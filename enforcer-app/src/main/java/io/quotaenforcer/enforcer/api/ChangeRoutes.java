package io.quotaenforcer.enforcer.api;

import static io.quotaenforcer.enforcer.api.ApiField.integer;
import static io.quotaenforcer.enforcer.api.ApiField.list;
import static io.quotaenforcer.enforcer.api.ApiField.text;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import io.quotaenforcer.enforcer.operations.Operations;
import io.quotaenforcer.server.access.Role;
import java.util.List;

/** Operations that change something other than rules, and those that tell of what they change. */
final class ChangeRoutes {
  static final String ID = "id";
  static final String TOPIC = "topic";
  static final String REASON = "reason";
  static final String BEFORE = "before";
  static final String PAYLOAD = "payload";
  static final String PLACES = "places";
  static final String AGAIN = "again";

  /** A quota key may be long. */
  private static final int KEY_BYTES = 128 << 10;

  private static final int SMALL_BYTES = 4 << 10;

  private static final ApiField PAGE_BEFORE =
      new ApiField(BEFORE, "string", false, "The `next` of the page before.");
  private static final ApiField NEXT =
      text("next", "For the page after; absent when there is none.").optional();

  static final ApiRoute DEFERRED_SHOWN =
      ApiRoute.get(
              "/deferred/show",
              "The deferred requests with an id, one for each quota key that has such a one.")
          .asking(
              new ApiField(ID, "string", true, "The id."),
              new ApiField(ApiRoutes.KEY, "string", false, "The text of the quota key."),
              new ApiField(
                  PAYLOAD,
                  "boolean",
                  false,
                  "true, for operators, with a key: with headers and payload."),
              ApiRoutes.ONLY_HERE)
          .answering(
              list(
                  "requests",
                  "As in a list, with `attributes`; for operators who ask for it, with `headers`,"
                      + " and `payload` or `payloadBase64`."),
              ApiRoutes.MISSING);

  static final ApiRoute PENALTIES =
      ApiRoute.get("/penalties", "Quota keys under a penalty now, in the order of their texts.")
          .asking(
              new ApiField(ApiRoutes.RULE, "string", false, "Domain and id; all if absent."),
              new ApiField(
                  ApiRoutes.AFTER, "string", false, "The last quota key of the page before."),
              ApiRoutes.MOST,
              ApiRoutes.ONLY_HERE)
          .answering(
              list("penalties", "`quotaKey`, `rule`, `mode`, `since`, `until` and `inARow`."),
              ApiRoutes.MORE,
              ApiRoutes.MISSING);

  static final ApiRoute LETTERS =
      ApiRoute.get("/dead-letters", "Dead letters without their contents, the newest first.")
          .asking(
              new ApiField(TOPIC, "string", false, "The topic that they came from."),
              new ApiField(REASON, "string", false, "A part of the reason."),
              new ApiField(ApiRoutes.RULE, "string", false, "Of deferred requests of this rule."),
              new ApiField(ID, "string", false, "The id of a deferred request, or a place."),
              PAGE_BEFORE,
              ApiRoutes.MOST)
          .answering(
              list(
                  "letters",
                  "`place`, `time` (when it was put aside), `topic`, `reason`, `id`, `bytes`, and"
                      + " where they are known `originalTime`, `quotaKey` and `redrivenAt`."),
              NEXT,
              integer("lookedAt", "Records of the topic that were read for it."));

  static final ApiRoute LETTER_REASONS =
      ApiRoute.get(
              "/dead-letters/reasons",
              "How many of the newest 5,000 dead letters have which reason, those with most first.")
          .answering(
              list(
                  "reasons",
                  "`topic`, `reason` (up to its first colon), `letters`, and `newestAt`. At most"
                      + " 50."),
              integer("others", "Letters of further reasons."),
              integer("counted", "All that were counted."),
              ApiField.flag("more", "Whether there are older ones, or reading took too long."));

  static final ApiRoute AUDIT =
      ApiRoute.get("/audit", "What was changed by the API or refused, the newest first.")
          .asking(PAGE_BEFORE, ApiRoutes.MOST)
          .answering(
              list(
                  "changes",
                  "`place`, `at`, `caller`, `role`, `address`, `action`, `target`, `outcome`, and"
                      + " where there is one `reason`, `versionBefore`, `versionAfter` and `count`;"
                      + " of a record that cannot be read, `place` and `unreadable`."),
              NEXT);

  private static final ApiField OUTCOME =
      text(
          "outcome",
          "What an enforcer showed within three seconds, or `asked for`: it comes about later.");

  static final ApiRoute CANCEL =
      post(
              "/deferred/requests:cancel",
              KEY_BYTES,
              "`id`, `key` (of its quota), and a `reason`, or else `by hand`.",
              "Takes a deferred request out of its queue: it becomes a dead letter with the reason."
                  + " One that was released already stays as it is. The outcome is `cancelled` once"
                  + " the dead letter is there; of a request that is gone without one it says so.")
          .answering(ofRequest());

  static final ApiRoute RELEASE =
      post(
              "/deferred/requests:release",
              KEY_BYTES,
              "`id`, `key` (of its quota), and a `reason`, for the audit topic only.",
              "Makes a deferred request the next of its quota key; it still needs permits.")
          .answering(ofRequest());

  static final ApiRoute PURGE =
      post(
              "/deferred:purge",
              KEY_BYTES,
              "A `rule` or a `key`, and a `reason`, or else `by hand`.",
              "Takes all waiting requests of a rule or of a quota key out of their queues: each"
                  + " becomes a dead letter with the reason.")
          .answering(
              text("scope", "The rule or the quota key."),
              integer("requests", "That waited."),
              integer("left", "That wait three seconds later, or came since; absent if not known.")
                  .optional());

  static final ApiRoute LIFT =
      post(
              "/penalties:lift",
              KEY_BYTES,
              "The `key`.",
              "Ends the penalty of a quota key, and forgets what would bring the next one. A key"
                  + " without a penalty stays as it is.")
          .answering(text("quotaKey", "Its text."), OUTCOME);

  static final ApiRoute REDRIVE =
      post(
              "/dead-letters:redrive",
              SMALL_BYTES,
              "`places` of at most "
                  + Operations.MOST_REDRIVEN
                  + " letters, and `again`: true, for those that were redriven before.",
              "Writes dead letters back to where they came from, all that can be or none. A request"
                  + " that has run since it was redriven runs twice.")
          .answering(
              integer("redriven", "How many."),
              list("letters", "`place` and `outcome` of each that was named."));

  static final List<ApiRoute> ALL =
      List.of(
          DEFERRED_SHOWN,
          PENALTIES,
          LETTERS,
          LETTER_REASONS,
          AUDIT,
          CANCEL,
          RELEASE,
          PURGE,
          LIFT,
          REDRIVE);

  private ChangeRoutes() {}

  private static ApiField[] ofRequest() {
    return new ApiField[] {text("id", "Of the request."), text("quotaKey", "Its text."), OUTCOME};
  }

  private static ApiRoute post(String path, int mostBytes, String body, String doc) {
    return ApiRoute.of(
        HttpMethod.POST,
        path,
        Role.OPERATOR,
        new ApiRoute.Body(MediaType.JSON, mostBytes, "An object with " + body),
        doc);
  }
}
