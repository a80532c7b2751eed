package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.rules.Authorship;
import io.quotaenforcer.enforcer.rules.PlannedChanges;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.enforcer.rules.RulesException;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.server.JsonResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the published rules, and publishes them for operators. A change names the version that it
 * replaces, and is refused where the rule has another one; the history of rules has the name of the
 * operator's token.
 */
final class RuleChanges {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Semaphore turns = new Semaphore(1);

  ApiAnswer put(ApiCall call, ApiSources sources, AuditDraft draft) {
    RuleId id = RuleAnswers.id(call);
    RuleFile.Valid file = file(id, call.body());
    return publish(call, sources, draft, id, published -> file);
  }

  ApiAnswer putMode(ApiCall call, ApiSources sources, AuditDraft draft) {
    RuleId id = RuleAnswers.id(call);
    Mode mode = mode(call.body());
    return publish(
        call,
        sources,
        draft,
        id,
        published -> {
          Rule rule =
              published.orElseThrow(
                  () -> new ApiProblem(Kind.NOT_FOUND, "no such rule is published: " + id));
          return new RuleFile.Valid(id.domain(), List.of(rule.withMode(mode)));
        });
  }

  /** All rules of a file at once, or none. */
  ApiAnswer putDomain(ApiCall call, ApiSources sources, AuditDraft draft) {
    String domain = RuleAnswers.domain(call);
    RuleFile.Valid file = RuleAnswers.valid(call.body());
    if (!file.domain().equals(domain)) {
      throw new IllegalArgumentException("must be the domain of the path: " + file.domain());
    }
    SeenVersions seen =
        SeenVersions.of(call.parameters().text(ApiRoutes.VERSIONS).orElse(""), file);
    return withRules(
        sources,
        admin -> {
          PlannedChanges planned = admin.apply(file, false);
          seen.check(planned.basis());
          List<RuleChange> changes =
              planned.changes().stream().filter(it -> !(it instanceof RuleChange.Kept)).toList();
          String words =
              changes.stream()
                  .map(it -> "%s %s".formatted(it.id().id(), word(it)))
                  .collect(Collectors.joining(", "));
          AuditRecord audit = draft.done(words, AuditRecord.Change.counting(changes.size()));
          publish(planned, call.caller().name(), audit, sources);
          ObjectNode body = JsonResponse.object().put("domain", domain);
          ArrayNode rows = body.putArray("rules");
          for (RuleChange change : changes) {
            Versions.of(change, planned.basis().rule(change.id())).put(rows.addObject(), change);
          }
          return ApiAnswer.of(body);
        });
  }

  ApiAnswer history(ApiCall call, ApiSources sources) {
    RuleId id = RuleAnswers.id(call);
    int most = call.limit();
    List<RuleVersion> versions =
        new ArrayList<>(withRules(sources, admin -> admin.history().versions(id)));
    if (versions.isEmpty()) {
      throw new ApiProblem(Kind.NOT_FOUND, "no version of such a rule is known: " + id);
    }
    Collections.reverse(versions);
    ObjectNode body = JsonResponse.object().put("rule", id.toString());
    ArrayNode rows = body.putArray("versions");
    versions.stream().limit(most).forEach(version -> put(rows.addObject(), version));
    return ApiAnswer.of(body.put("more", versions.size() > most));
  }

  private static void put(ObjectNode row, RuleVersion version) {
    row.put("version", version.version())
        .put("at", Instant.ofEpochMilli(version.atMillis()).toString())
        .put("deleted", version.isDeletion());
    version.author().ifPresent(author -> row.put("author", author));
    version.message().ifPresent(message -> row.put("message", message));
    version.yaml().ifPresent(yaml -> row.put("yaml", yaml));
  }

  private ApiAnswer publish(
      ApiCall call,
      ApiSources sources,
      AuditDraft draft,
      RuleId id,
      Function<Optional<Rule>, RuleFile.Valid> wanted) {
    return withRules(
        sources,
        admin -> {
          Optional<Rule> before = admin.list().rule(id);
          checkVersion(call.headers(), before.map(Rule::version));
          PlannedChanges planned = admin.apply(wanted.apply(before), false);
          // It reads once more; what is published replaces what it read.
          checkVersion(call.headers(), planned.basis().rule(id).map(Rule::version));
          RuleChange change =
              planned.changes().stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
          Versions versions = Versions.of(change, before);
          AuditRecord audit =
              draft.done(
                  word(change),
                  new AuditRecord.Change(
                      before.map(Rule::version), Optional.of(versions.after()), Optional.empty()));
          publish(planned, call.caller().name(), audit, sources);
          ObjectNode body = JsonResponse.object();
          versions.put(body, change);
          return new ApiAnswer(body, Optional.of(RuleAnswers.etag(versions.after())));
        });
  }

  /** What is published has its record in the same transaction. */
  private static void publish(
      PlannedChanges planned, String author, AuditRecord audit, ApiSources sources) {
    OperatorChanges.asked(
        () -> {
          if (planned.changesAny()) {
            sources.operations().checkAudit();
            planned.publish(
                new Authorship(author, Optional.of("by the HTTP API"), Optional.of(audit)));
          } else {
            sources.operations().note(audit);
          }
          return audit;
        });
  }

  /**
   * Versions of a rule.
   *
   * @param anew whether what was counted before the change does not count any more
   */
  private record Versions(long after, boolean anew) {
    static Versions of(RuleChange change, Optional<Rule> before) {
      if (change instanceof RuleChange.Added added) {
        return new Versions(added.rule().version(), false);
      }
      if (change instanceof RuleChange.Changed changed) {
        return new Versions(changed.after().version(), changed.countsAnew());
      }
      return new Versions(before.map(Rule::version).orElse(0L), false);
    }

    void put(ObjectNode row, RuleChange change) {
      row.put("rule", change.id().toString())
          .put("change", word(change))
          .put("version", after)
          .put("countsAnew", anew);
    }
  }

  /** One at a time: each opens a consumer, and perhaps a producer. */
  private <T> T withRules(ApiSources sources, Function<RuleAdmin, T> task) {
    if (!turns.tryAcquire()) {
      throw new ApiProblem(
          Kind.BUSY, "another request reads or publishes the rules; ask again soon");
    }
    try (RuleStore store = sources.rules().published().get()) {
      return task.apply(new RuleAdmin(store));
    } catch (RulesException e) {
      throw new ApiProblem(Kind.NOT_PUBLISHED, String.valueOf(e.getMessage()), e);
    } finally {
      turns.release();
    }
  }

  /** The operator has seen what is replaced. */
  private static void checkVersion(RequestHeaders headers, Optional<Long> published) {
    String match = headers.get(HttpHeaderNames.IF_MATCH);
    boolean asNew = "*".equals(headers.get(HttpHeaderNames.IF_NONE_MATCH));
    if (match == null && !asNew) {
      throw new ApiProblem(
          Kind.UNCONDITIONAL,
          "send If-Match with the ETag of the version that is replaced, or If-None-Match: * for a"
              + " new rule");
    }
    String now = published.map(RuleAnswers::etag).orElse("none");
    boolean isRight = asNew ? published.isEmpty() && match == null : now.equals(match);
    if (!isRight) {
      throw new ApiProblem(
          Kind.CHANGED,
          published.isEmpty()
              ? "nothing was published: there is no such rule, send If-None-Match: * alone"
              : "nothing was published: the rule has the version %s; read it, and repeat with"
                      .formatted(now)
                  + " If-Match");
    }
  }

  private static String word(RuleChange change) {
    if (change instanceof RuleChange.Added) {
      return "added";
    }
    return change instanceof RuleChange.Changed ? "changed" : "unchanged";
  }

  private static RuleFile.Valid file(RuleId id, String yaml) {
    RuleFile.Valid valid = RuleAnswers.valid(yaml);
    if (valid.rules().size() != 1 || !valid.rules().get(0).id().equals(id)) {
      throw new IllegalArgumentException("must hold one rule, which is that of the path: " + id);
    }
    return valid;
  }

  private static Mode mode(String json) {
    String word;
    try {
      word = MAPPER.readTree(json).path("mode").asText();
    } catch (JsonProcessingException e) {
      word = "";
    }
    return switch (word) {
      case "enforce" -> Mode.ENFORCE;
      case "shadow" -> Mode.SHADOW;
      default ->
          throw new IllegalArgumentException("must be {\"mode\": \"shadow\"} or \"enforce\"");
    };
  }
}
