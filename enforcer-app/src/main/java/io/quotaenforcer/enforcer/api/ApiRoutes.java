package io.quotaenforcer.enforcer.api;

import static io.quotaenforcer.enforcer.api.ApiField.integer;
import static io.quotaenforcer.enforcer.api.ApiField.list;
import static io.quotaenforcer.enforcer.api.ApiField.object;
import static io.quotaenforcer.enforcer.api.ApiField.text;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import io.quotaenforcer.server.access.Role;
import java.util.List;
import java.util.stream.Stream;

/** Every operation of the API. */
public final class ApiRoutes {
  static final int DEFAULT_LIMIT = 50;
  static final int MAX_LIMIT = 200;
  static final String HERE = "here";
  static final String LIMIT = "limit";
  static final String PREFIX = "prefix";
  static final String AFTER = "after";
  static final String BY = "by";
  static final String KEY = "key";
  static final String RULE = "rule";
  static final String VERSIONS = "versions";

  private static final int RULE_BYTES = 64 << 10;
  static final int FILE_BYTES = 256 << 10;
  private static final int SMALL_BYTES = 1 << 10;

  static final ApiField ONLY_HERE =
      new ApiField(
          HERE,
          "boolean",
          false,
          "true: what the asked enforcer knows itself, without the others.");
  static final ApiField MOST =
      new ApiField(
          LIMIT,
          "integer",
          false,
          "The most rows to answer, 1 to " + MAX_LIMIT + "; " + DEFAULT_LIMIT + " if absent.");
  static final ApiField MISSING =
      list("missing", "Enforcers that did not answer, each with `enforcer` and `why`.");
  static final ApiField MORE =
      ApiField.flag("more", "Whether there are others behind the last row.");

  static final ApiRoute OVERVIEW =
      ApiRoute.get("/overview", "What all enforcers do now.")
          .asking(ONLY_HERE)
          .answering(
              object(
                  "totals",
                  "Sums over the enforcers that answered: `admittedPerSecond`,"
                      + " `throttledPerSecond` (permits, over about the last minute),"
                      + " `reportsPerSecond`, `loopMillis` (a mean; absent without reports),"
                      + " `lag` (records to read) and `deferred` (requests that wait), both absent"
                      + " where an enforcer does not know them yet, and `partitions` that are"
                      + " counted."),
              list(
                  "enforcers",
                  "The same of each, with `enforcer`, `version`, `health` (`status`, and a `reason`"
                      + " unless it is ready), and the numbers of its `partitions`."),
              list(
                  "gone",
                  "Enforcers that shared the work within the last hour, and do no more: each with"
                      + " `enforcer` and since how many `seconds`."),
              MISSING);

  static final ApiRoute EVENTS =
      ApiRoute.get(
              "/events",
              "The overview once a second, as server-sent events (`text/event-stream`): `overview`"
                  + " with what `GET /api/v1/overview` answers, and `health` when that of an"
                  + " enforcer changes (`enforcer`, `status`, `reason`); a comment each second is a"
                  + " sign of life. The stream begins with what is now: `Last-Event-ID` is not"
                  + " looked at. It ends with the token, with the enforcer, and for who does not"
                  + " read; at most 256 are open.")
          .answering(
              object("totals", "As of the overview."),
              list("enforcers", "As of the overview."),
              MISSING)
          .replying(ApiRoute.Reply.EVENTS);

  static final ApiRoute TOP =
      ApiRoute.get(
              "/keys/top",
              "The quota keys with most permits per second, over about the last minute.")
          .asking(
              new ApiField(
                  BY,
                  "string",
                  false,
                  "used (admitted), throttled or demand (both together); used if absent."),
              MOST,
              ONLY_HERE)
          .answering(
              list(
                  "keys",
                  "The largest first: `quotaKey`, `perSecond`, and `over`, by how much that may be"
                      + " too large at most."),
              MISSING);

  static final ApiRoute SEARCH =
      ApiRoute.get("/keys", "Quota keys that begin with a text, in order.")
          .asking(
              new ApiField(
                  PREFIX,
                  "string",
                  true,
                  "How they begin: domain/rule-id/, or more of the text; values are"
                      + " percent-encoded in it."),
              new ApiField(AFTER, "string", false, "The last quota key of the page before."),
              MOST,
              ONLY_HERE)
          .answering(
              list(
                  "keys",
                  "`quotaKey`, `limit`, `used`, `available`, `outstanding`, `holders` and"
                      + " `reportedAt`."),
              MORE,
              object(
                  "partitions",
                  "`answered`, the numbers of those that were searched, and how many there are in"
                      + " `all`."),
              MISSING);

  static final ApiRoute SHOW =
      ApiRoute.get(
              "/keys/show",
              "One quota key: its windows, and who holds what. Any enforcer asks the one that counts"
                  + " it; while that does not answer, one that keeps a copy says what it knows.")
          .asking(new ApiField(KEY, "string", true, "The text of the quota key."), ONLY_HERE)
          .answering(
              text("quotaKey", "Its text."),
              text("limit", "In words."),
              integer("available", "Permits neither used nor held."),
              integer("outstanding", "Permits granted and not reported as used."),
              text("penaltyUntil", "The end of its penalty; absent without one.").optional(),
              list(
                  "windows",
                  "The newest first: `start`, `used` and `throttled`. What is not committed yet is"
                      + " in it, and may be told of in a later window after a crash."),
              list(
                  "holders",
                  "`instance`, `epoch`, `outstanding`, `share` (permits per period),"
                      + " `demandPerSecond` and `reportedAt`."),
              object(
                      "stale",
                      "Only of a copy: `recordsBehind`, how many changes it has not read yet.")
                  .optional());

  static final ApiRoute INSTANCES =
      ApiRoute.get("/instances", "Who reported in the last ten minutes, those heard last first.")
          .asking(MOST, ONLY_HERE)
          .answering(
              list(
                  "instances",
                  "`instance`, `epoch`, `kind` (instance, combiner or replays), `heardAt`,"
                      + " `loopMillis`, and `quotaKeys` of its newest reports."),
              MORE,
              MISSING);

  static final ApiRoute RULES =
      ApiRoute.get("/rules", "The rules in force.")
          .answering(
              list(
                  "rules",
                  "`rule`, `version`, `generation`, `mode`, `enforcement`, `summary`, and what may"
                      + " be admitted over the limit: `bound`, and `boundAway` while no enforcer"
                      + " answers (absent where there is none)."));

  static final ApiRoute RULE_SHOWN =
      ApiRoute.get(
              "/rules/{domain}/{id}",
              "One rule in force; its version is the ETag, with which it is changed.")
          .answering(
              text("rule", "Domain and id."),
              integer("version", "Counted from its first publication."),
              integer("generation", "The version since which permits are counted together."),
              text("mode", "enforce or shadow."),
              text("enforcement", "strict, balanced or per-instance."),
              text("summary", "In a line."),
              integer("maxInstances", "The instances that bounds are for."),
              integer("bound", "Permits over the limit, at most."),
              integer("boundAway", "The same while no enforcer answers; absent for no bound.")
                  .optional(),
              integer("expectedOver", "What is to be expected."),
              list("says", "The rule in words, line by line: `of` and `text`."),
              list("warnings", "What its author may not have meant."),
              text(
                  "yaml",
                  "The rule as a rule file; of an elastic one with its pool, without which it is"
                      + " none."),
              text(
                  VERSIONS,
                  "Those of the rules of that file, as a change of all of them names them:"
                      + " `per-user:3,pool:1`."));

  static final ApiRoute RULE_HISTORY =
      ApiRoute.get(
              "/rules/{domain}/{id}/history",
              "Who changed a rule when, also by other ways than the API, the newest first.")
          .asking(MOST)
          .answering(
              text("rule", "Domain and id."),
              list(
                  "versions",
                  "`version`, `at`, `deleted`, and where they are known `author`, `message` and"
                      + " `yaml`, the rule as it was published."),
              MORE);

  static final ApiRoute DEFERRED =
      ApiRoute.get("/deferred", "Deferred requests by rule.")
          .asking(
              new ApiField(RULE, "string", false, "Only those of this rule: domain and id."),
              new ApiField(KEY, "string", false, "Only those of this quota key."),
              ONLY_HERE)
          .answering(
              list(
                  "queues",
                  "Those with most first: `rule`, `keys`, `waiting`, `bytes`, `unacknowledged`, and"
                      + " `oldestSince` where any waits."),
              MISSING);

  static final ApiRoute DEFERRED_REQUESTS =
      ApiRoute.get(
              "/deferred/requests",
              "Deferred requests of a rule or of a quota key, in the order of release, without"
                  + " payloads.")
          .asking(
              new ApiField(RULE, "string", false, "Domain and id; or else a key."),
              new ApiField(KEY, "string", false, "The text of a quota key; or else a rule."),
              new ApiField(
                  AFTER, "string", false, "The `place` of the last one of the page before."),
              MOST,
              ONLY_HERE)
          .answering(
              list(
                  "requests",
                  "`id`, `quotaKey`, `state`, `lane`, `place`, `priority`, `cost`, `bytes`,"
                      + " `payloadBytes`, `deferredAt`, and a `deadline` where there is one."),
              MORE,
              MISSING);

  static final ApiRoute TOPOLOGY =
      ApiRoute.get("/topology", "The parts of the topology, and who has which of their tasks.")
          .asking(ONLY_HERE)
          .answering(
              list(
                  "subTopologies",
                  "`number`, `name`, the topics that it `reads`, and their `partitions`, for each of"
                      + " which there is a task."),
              list(
                  "tasks",
                  "`subTopology`, `partition`, `enforcer` and `role`: active (one works) or standby"
                      + " (copies); `lag`, of an active one records that no commit has reached, of a"
                      + " standby changes that it has not read, absent while not known. Of those that"
                      + " count quota keys `admittedPerSecond`, `throttledPerSecond`,"
                      + " `reportsPerSecond` and `loopMillis`, as of the overview."),
              MISSING);

  static final ApiRoute WHOAMI =
      ApiRoute.get("/whoami", "Whose token was sent.")
          .answering(text("name", "Of the token."), text("role", "viewer or operator."));

  static final ApiRoute OPENAPI =
      ApiRoute.get("/openapi.json", "This description.")
          .forEverybody()
          .answering(
              text("openapi", "The version of OpenAPI."),
              object("info", "Title and version."),
              object("paths", "What there is."),
              object("components", "How callers are known, and errors."),
              list("security", "A token, for all but this document."));

  private static final ApiField[] CHANGED = {
    text("rule", "Domain and id."),
    text("change", "added, changed or unchanged."),
    integer("version", "Its version now, which is the ETag as well."),
    ApiField.flag("countsAnew", "Whether what was counted before does not count any more.")
  };

  static final ApiRoute VALIDATE =
      ApiRoute.of(
              HttpMethod.POST,
              "/rules:validate",
              Role.VIEWER,
              new ApiRoute.Body(ApiRoute.YAML, FILE_BYTES, "A rule file."),
              "Checks a rule file; nothing is published.")
          .answering(
              ApiField.flag("valid", "Whether it could be published."),
              list("problems", "`line`, `column` and `message`, which says what to do."),
              list("explanations", "Of a valid file, each rule as it is explained elsewhere."));

  static final ApiRoute BACKTEST = BacktestRoute.ROUTE;

  static final ApiRoute PUT_RULE =
      ApiRoute.of(
              HttpMethod.PUT,
              "/rules/{domain}/{id}",
              Role.OPERATOR,
              new ApiRoute.Body(ApiRoute.YAML, RULE_BYTES, "A rule file with this rule alone."),
              "Publishes a rule: with `If-Match: ETAG` in place of the version that was read, with"
                  + " `If-None-Match: *` as a new one.")
          .answering(CHANGED);

  static final ApiRoute PUT_DOMAIN =
      ApiRoute.of(
              HttpMethod.PUT,
              "/rules/{domain}",
              Role.OPERATOR,
              new ApiRoute.Body(
                  ApiRoute.YAML,
                  FILE_BYTES,
                  "A rule file of the domain; its other rules stay as they are."),
              "Publishes several rules of a domain as one change, such as an elastic rule and its"
                  + " pool: all of them or none, in one transaction.")
          .asking(
              new ApiField(
                  VERSIONS,
                  "string",
                  true,
                  "The version that is replaced of each rule of the file, 0 for a new one:"
                      + " `per-user:3,pool:0`."))
          .answering(
              text("domain", "Of the rules."),
              list(
                  "rules",
                  "What became of each: `rule`, `change`, `version` and `countsAnew`, as of one rule"
                      + " alone."));

  static final ApiRoute PUT_MODE =
      ApiRoute.of(
              HttpMethod.PUT,
              "/rules/{domain}/{id}/mode",
              Role.OPERATOR,
              new ApiRoute.Body(
                  MediaType.JSON, SMALL_BYTES, "`{\"mode\": \"shadow\"}` or `\"enforce\"`."),
              "Enforces a rule, or lets it only count; with `If-Match: ETAG`.")
          .answering(CHANGED);

  /** In the order of the page. */
  public static final List<ApiRoute> ALL =
      Stream.concat(own().stream(), ChangeRoutes.ALL.stream()).toList();

  private ApiRoutes() {}

  private static List<ApiRoute> own() {
    return List.of(
        OVERVIEW,
        EVENTS,
        TOP,
        SEARCH,
        SHOW,
        INSTANCES,
        RULES,
        RULE_SHOWN,
        RULE_HISTORY,
        DEFERRED,
        DEFERRED_REQUESTS,
        TOPOLOGY,
        WHOAMI,
        VALIDATE,
        BACKTEST,
        PUT_RULE,
        PUT_DOMAIN,
        PUT_MODE,
        OPENAPI);
  }
}
