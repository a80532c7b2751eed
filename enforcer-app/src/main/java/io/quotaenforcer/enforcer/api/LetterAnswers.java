package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.AuditRecord.Change;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan.Step;
import io.quotaenforcer.enforcer.operations.Operations;
import io.quotaenforcer.enforcer.operations.Operations.Found;
import io.quotaenforcer.enforcer.operations.Operations.Letter;
import io.quotaenforcer.server.JsonResponse;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Dead letters, their reasons, and their way back. */
final class LetterAnswers {
  private static final int MOST_COUNTED = 5_000;
  private static final int MOST_REASONS = 50;
  private static final int MOST_PLACE_CHARS = 30;
  private static final LetterFilter ALL =
      new LetterFilter(Optional.empty(), Optional.empty(), Optional.empty(), Set.of());

  private LetterAnswers() {}

  private record Cause(String topic, String reason) {}

  static ApiAnswer list(ApiCall call, ApiSources sources) {
    LetterFilter filter =
        new LetterFilter(
            call.parameters().text(ChangeRoutes.TOPIC),
            call.parameters().text(ChangeRoutes.REASON),
            call.parameters().get(ApiRoutes.RULE, RuleId::parse),
            call.parameters().text(ChangeRoutes.ID).map(Set::of).orElse(Set.of()));
    Found<Letter> found =
        OperatorChanges.asked(
            () ->
                sources
                    .operations()
                    .letters(filter, call.parameters().text(ChangeRoutes.BEFORE), call.limit()));
    ObjectNode body = JsonResponse.object();
    ArrayNode rows = body.putArray("letters");
    for (Letter letter : found.rows()) {
      ObjectNode row = LetterJson.of(letter.letter());
      letter.redrivenMillis().ifPresent(millis -> row.put("redrivenAt", LetterJson.time(millis)));
      rows.add(row);
    }
    found.next().ifPresent(next -> body.put("next", next));
    return ApiAnswer.of(body.put("lookedAt", found.lookedAt()));
  }

  /** Counts the newest letters by what their reasons begin with. */
  static ApiAnswer reasons(ApiCall call, ApiSources sources) {
    Found<Letter> found =
        OperatorChanges.asked(
            () -> sources.operations().letters(ALL, Optional.empty(), MOST_COUNTED));
    Map<Cause, Long> letters = new HashMap<>();
    Map<Cause, Long> newest = new HashMap<>();
    for (Letter each : found.rows()) {
      Cause cause = cause(each.letter());
      letters.merge(cause, 1L, Long::sum);
      newest.merge(cause, each.letter().aside().millis(), Math::max);
    }
    List<Map.Entry<Cause, Long>> most =
        letters.entrySet().stream()
            .sorted(
                Map.Entry.<Cause, Long>comparingByValue()
                    .reversed()
                    .thenComparing(it -> it.getKey().reason(), Comparator.naturalOrder()))
            .toList();
    ObjectNode body = JsonResponse.object();
    ArrayNode rows = body.putArray("reasons");
    most.stream()
        .limit(MOST_REASONS)
        .forEach(
            it ->
                rows.addObject()
                    .put("topic", it.getKey().topic())
                    .put("reason", it.getKey().reason())
                    .put("letters", it.getValue())
                    .put("newestAt", LetterJson.time(newest.getOrDefault(it.getKey(), 0L))));
    return ApiAnswer.of(
        body.put("others", most.stream().skip(MOST_REASONS).mapToLong(Map.Entry::getValue).sum())
            .put("counted", found.rows().size())
            .put("more", found.next().isPresent()));
  }

  private static Cause cause(DeadLetter letter) {
    String reason = letter.aside().reason();
    int end = reason.indexOf(':');
    return new Cause(letter.origin().topic(), end < 0 ? reason : reason.substring(0, end));
  }

  static String places(ApiCall call) {
    return String.join(", ", read(call));
  }

  private static Set<String> read(ApiCall call) {
    return new LinkedHashSet<>(
        body(call).texts(ChangeRoutes.PLACES, Operations.MOST_REDRIVEN, MOST_PLACE_CHARS));
  }

  private static JsonBody body(ApiCall call) {
    return JsonBody.of(call, ChangeRoutes.PLACES, ChangeRoutes.AGAIN);
  }

  static ApiAnswer redrive(ApiCall call, ApiSources sources, AuditDraft draft) {
    Set<String> places = read(call);
    boolean again = body(call).flag(ChangeRoutes.AGAIN);
    RedrivePlan plan =
        OperatorChanges.asked(
            () ->
                sources
                    .operations()
                    .redrive(
                        places,
                        again,
                        count -> draft.done(again ? "again" : "", Change.counting(count))));
    Map<String, String> outcomes =
        plan.steps().entrySet().stream()
            .collect(
                Collectors.toMap(it -> it.getKey().aside().place(), it -> it.getValue().text()));
    ObjectNode body = JsonResponse.object().put("redriven", plan.count(Step.WRITE));
    ArrayNode rows = body.putArray("letters");
    places.forEach(
        place ->
            rows.addObject()
                .put("place", place)
                .put("outcome", outcomes.getOrDefault(place, "there is no such letter")));
    return ApiAnswer.of(body);
  }
}
