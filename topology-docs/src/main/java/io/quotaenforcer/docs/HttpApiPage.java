package io.quotaenforcer.docs;

import static io.quotaenforcer.docs.Markdown.code;

import io.quotaenforcer.enforcer.api.Action;
import io.quotaenforcer.enforcer.api.ApiField;
import io.quotaenforcer.enforcer.api.ApiRoute;
import io.quotaenforcer.enforcer.api.ApiRoutes;
import io.quotaenforcer.enforcer.api.OpenApi;
import io.quotaenforcer.server.access.Role;
import java.util.Arrays;
import java.util.List;

/** The HTTP API for operators: a page, and the OpenAPI document beside it. */
final class HttpApiPage {
  private HttpApiPage() {}

  static Page write() {
    Markdown page =
        Markdown.page("HTTP API for operators", "`ApiRoutes`, `ApiProblem`")
            .paragraph(
                "Any enforcer answers for all of them at its `http.port`: it asks the others in the"
                    + " caller's name, and says in `missing` which did not answer; what is not known"
                    + " is left out, never shown as 0. `GET /api/v1/openapi.json` describes the API"
                    + " to programs, as [openapi.json](openapi.json) does. The paths of"
                    + " [running.md](running.md#http) stay as they are.")
            .heading("Who may ask")
            .paragraph(
                "Nobody, until [`http.api.tokens.file`](settings.md#enforcer) names a file, the same"
                    + " at all enforcers. A line `NAME ROLE SHA256` stands for each token: `viewer`"
                    + " looks, `operator` changes something and runs back-tests as well, and sees payloads. `openssl rand -hex 32` makes a token,"
                    + " `printf %s TOKEN | sha256sum` its hash; the file does not tell the token. It is"
                    + " read for each request, so that a line that is taken out ends the access at"
                    + " once. Callers send `Authorization: Bearer TOKEN` with each request. Nothing"
                    + " else is looked at: cookies mean nothing, and no answer allows other origins,"
                    + " so that a page of another site can neither read nor change anything.")
            .paragraph(
                "Send tokens over TLS (`tls.certificate.file`, `tls.key.file`, at all enforcers or at"
                    + " none), or keep `http.host` on loopback or a private network. Enforcers know"
                    + " each other by the certificates in that file; `quota usage get` and `quota"
                    + " deferred` are then given `https://` addresses, and their JVM must trust the"
                    + " issuer.")
            .heading("Paths")
            .table(
                List.of("request", "role", "what it does"),
                ApiRoutes.ALL.stream().map(HttpApiPage::row).toList());
    for (ApiRoute route : ApiRoutes.ALL) {
      page.heading(route.method() + " " + route.path().replace("/api/v1", ""))
          .paragraph(route.doc());
      route
          .body()
          .ifPresent(
              body ->
                  page.paragraph(
                      "Body (%s, at most %d KiB): %s"
                          .formatted(
                              code(body.type().nameWithoutParameters()),
                              body.mostBytes() >> 10,
                              body.doc())));
      if (!route.query().isEmpty()) {
        page.table(
            List.of("parameter", "type", "meaning"),
            route.query().stream().map(HttpApiPage::field).toList());
      }
      page.table(
          List.of("field of the answer", "type", "meaning"),
          route.answer().stream().map(HttpApiPage::field).toList());
    }
    return page.heading("Changes")
        .paragraph(
            "A change names the version that it replaces: `If-Match` with the `ETag` of `GET"
                + " /api/v1/rules/{domain}/{id}`, or `If-None-Match: *` for a rule that is new. Where"
                + " someone else was faster it is refused, and nothing is published. Where no answer"
                + " comes, repeat it with the same `If-Match`: it is refused if it was published. The"
                + " history of rules (`GET /api/v1/rules/{domain}/{id}/history`, `quota rules history`)"
                + " has the name of the token as the author, and the log of the enforcer a line. The"
                + " rules in force follow within a second.")
        .paragraph(
            "Rules that need each other, such as an elastic one and its pool, are one change: `PUT"
                + " /api/v1/rules/{domain}?versions=per-user:3,pool:0` names the version that is"
                + " replaced of each rule of the file, 0 for a new one. Where one of them has another,"
                + " the answer names it, and nothing is published. They are written in one"
                + " transaction, so that a crash leaves all of them or none; readers take them in one"
                + " after the other, within milliseconds.")
        .paragraph(
            "Deferred requests, penalties and dead letters are changed by records for the enforcer that"
                + " has them, as by `quota deferred`, `quota penalties` and `quota dead-letters`. The"
                + " answer waits up to three seconds until that enforcer shows the change, and says"
                + " `asked for` otherwise. A caller that gets no answer finds in `GET /api/v1/audit`"
                + " whether the change was made.")
        .heading("What is recorded")
        .paragraph(
            "Every change by this API has a record in [`quota.audit`](topics.md): whose token it was and"
                + " from where, what was changed, the version of the rule before and after or how many"
                + " it was, when, and how it ended. The record and the change are written in one"
                + " transaction with `acks=all`, before the answer: there is never one without the"
                + " other, whatever crashes. Where the topic is missing or cannot be written, nothing"
                + " is changed, and the answer says what to do.")
        .table(
            List.of("action", "when it is done"),
            Arrays.stream(Action.values())
                .map(action -> List.of(code(action.word()), action.doc()))
                .toList())
        .paragraph(
            "`done` says that the change is in Kafka; what an enforcer found when it read it is in the"
                + " answer only. `refused` is a request of a known caller that changed nothing: a"
                + " viewer's, one for another version, one that is wrong, one that meets another change under way. `failed` is one that Kafka did"
                + " not do: its reason says so, and when an answer of Kafka was lost, a record with"
                + " `done` may stand beside it, and is right. A refusal that cannot be recorded is"
                + " refused all the same, and is in the enforcer's log. Not recorded are requests"
                + " without a known token, those above the pace, those that find the enforcer busy or"
                + " starting, and whatever only looks. Addresses are those of the connection: behind a"
                + " proxy, the proxy's.")
        .paragraph(
            "The commands of `quota` do not pass through here: they write to Kafka with credentials of"
                + " their own, which Kafka can log, and leave no record in `quota.audit`. The history"
                + " of rules has what they publish; dead letters have the reasons of what they cancel."
                + " The older paths of [running.md](running.md#http) change nothing. Whoever looks may"
                + " see who changed what, hence viewers read `GET /api/v1/audit`: it has no payloads."
                + " Records are kept for 400 days; whoever may write `quota.audit` can add to them, but"
                + " nobody can change one without deleting the topic's records.")
        .heading("Back-tests")
        .paragraph(
            "`POST /api/v1/rules:backtest` is [`quota backtest --events-from`](backtest.md) at the"
                + " enforcer that is asked: the rules of the file decide the request events of the"
                + " span in the order of their times, as one process that sees every request. Beside"
                + " it stands what services reported of the same requests, and what the rules in"
                + " force with the same ids would have decided. Payloads are not in it, but it costs"
                + " work, so it is for operators.")
        .paragraph(
            "An enforcer runs one at a time: whoever comes second has 429 with `Retry-After`. It ends"
                + " after 1,000,000 events or 20 s; then `stopped` says why, and `share` how much of"
                + " the span was seen, from its beginning. It ends, too, when the caller hangs up. It"
                + " reads with a consumer of its own, without a group, on a thread of its own that"
                + " rests as long as it works: half of one processor and 100 MB of heap at most, and"
                + " what the brokers send. Stream threads and their consumers have no part in it.")
        .heading("Events")
        .paragraph(
            "`GET /api/v1/events` is for who would ask for the overview all the time, such as the"
                + " console. The overview is made once a second for all streams of an enforcer, in the"
                + " name of one of their callers, and not at all while there are none. A stream has no"
                + " thread, and keeps one overview at most: who is behind hears of the next one, and"
                + " who leaves a piece unread for 10 s is disconnected. Streams are judged by their"
                + " tokens each second. Of 256 at a time the next has 429. A browser's `EventSource`"
                + " sends no `Authorization`: read the body of `fetch` instead, as the console does.")
        .heading("Errors")
        .paragraph("A JSON object with `error`, in words, and a `category`:")
        .table(List.of("category", "status", "what to do"), OpenApi.errors())
        .heading("Bounds")
        .paragraph(
            "An address may send [`http.api.requests.per.second`](settings.md#enforcer), with a burst"
                + " of twice as many; an IPv6 network of 64 bits is one address, and behind a proxy"
                + " everybody has the proxy's. An enforcer works on 16 requests at a time, waits 2 s"
                + " for another enforcer, and has the bounds of its HTTP port for connections, headers,"
                + " bodies and unread answers. A page of keys has 200 rows or 1 MiB at most. A search"
                + " seeks to its first key and reads as many rows as it tells, on no stream thread, so"
                + " that a million keys cost it no more than ten.")
        .paragraph(
            "A page of dead letters, and their reasons, come from the newest 20,000 records of their"
                + " topic and from as many as are read within four seconds; two are read at a time. A"
                + " redrive takes 50 letters and 8 MiB, no older than the newest 20,000 records; an"
                + " enforcer makes one change of operations at a time, and answers others with `busy`."
                + " `quota dead-letters` reads all of them; one `redrive` decides on 50,000 at most.")
        .paragraph(
            "Rates and top keys come from the usage reports of about the last minute: a permit counts"
                + " half after 60 s. Each partition tells 500 keys apart by each ranking, in memory"
                + " alone (Space-Saving): a key with more than 1/500 of a partition's permits is always"
                + " among them, and `over` bounds the error. Keys of more than 1,000 characters are"
                + " part of the sums only. Who takes a partition over begins anew. Versions of clients"
                + " are not told: reports do not have them.")
        .to("http-api.md");
  }

  static Page openApi() {
    return new Page("openapi.json", OpenApi.document().toPrettyString() + "\n");
  }

  private static List<String> row(ApiRoute route) {
    return List.of(
        code(route.method() + " " + route.path()),
        route.role().map(Role::word).orElse("none"),
        route.doc());
  }

  private static List<String> field(ApiField field) {
    String type = field.type() + (field.required() ? "" : ", may be absent");
    return List.of(code(field.name()), type, field.doc());
  }
}
