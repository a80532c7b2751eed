package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.activity.Ranking;
import io.quotaenforcer.enforcer.query.KeyFacts;
import io.quotaenforcer.enforcer.query.KeyQuery;
import io.quotaenforcer.server.JsonResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Quota keys in lists: those with most permits, and those that begin with a text. */
final class KeyAnswers {
  private static final String KEYS = "keys";
  private static final String QUOTA_KEY = "quotaKey";
  private static final String PER_SECOND = "perSecond";
  private static final String PARTITIONS = "partitions";
  private static final String ANSWERED = "answered";
  private static final String ALL = "all";

  private KeyAnswers() {}

  static ObjectNode top(ApiCall call, ApiSources sources) {
    Ranking by = call.parameters().get(ApiRoutes.BY, KeyAnswers::ranking).orElse(Ranking.USED);
    ObjectNode body = JsonResponse.object();
    ArrayNode keys = body.putArray(KEYS);
    sources
        .reports()
        .activity()
        .top(by, call.limit(), sources.epochNanos().getAsLong())
        .forEach(
            hitter ->
                keys.addObject()
                    .put(QUOTA_KEY, hitter.key().toString())
                    .put(PER_SECOND, Rows.rounded(hitter.sum()))
                    .put("over", Rows.rounded(hitter.over())));
    return body;
  }

  static ObjectNode mergeTop(ApiCall call, List<JsonNode> answers) {
    return Rows.first(
        Rows.of(answers, KEYS),
        KEYS,
        Rows.byNumberFalling(PER_SECOND).thenComparing(Rows.byText(QUOTA_KEY)),
        call.limit());
  }

  static ObjectNode search(ApiCall call, ApiSources sources) {
    String prefix = call.given(ApiRoutes.PREFIX);
    if (prefix.isEmpty() || prefix.length() > QuotaKey.MAX_TEXT_CHARS || !isKeyText(prefix)) {
      throw new IllegalArgumentException(
          "must be the beginning of a quota key, such as domain/rule-id/: prefix");
    }
    String after = call.parameters().text(ApiRoutes.AFTER).orElse("");
    if (!after.isEmpty()) {
      QuotaKey.parse(after);
    }
    KeyQuery.Found found = sources.queries().keys().search(prefix, after, call.limit());
    ObjectNode body = JsonResponse.object();
    ArrayNode keys = body.putArray(KEYS);
    found.keys().rows().forEach(facts -> put(keys.addObject(), facts));
    body.put("more", found.keys().more());
    ObjectNode partitions = body.putObject(PARTITIONS);
    found.answered().forEach(partitions.putArray(ANSWERED)::add);
    partitions.put(ALL, found.partitions());
    return body;
  }

  private static void put(ObjectNode row, KeyFacts facts) {
    row.put(QUOTA_KEY, facts.quotaKey())
        .put("limit", facts.limit())
        .put("used", facts.used())
        .put("available", facts.available())
        .put("outstanding", facts.outstanding())
        .put("holders", facts.holders())
        .put("reportedAt", facts.reportedAt().toString());
  }

  static ObjectNode mergeSearch(ApiCall call, List<JsonNode> answers) {
    ObjectNode body = Rows.page(answers, KEYS, Rows.byText(QUOTA_KEY), call.limit());
    TreeSet<Integer> answered = new TreeSet<>();
    int all = 0;
    for (JsonNode answer : answers) {
      answer.path(PARTITIONS).path(ANSWERED).forEach(number -> answered.add(number.asInt()));
      all = Math.max(all, answer.path(PARTITIONS).path(ALL).asInt());
    }
    ObjectNode partitions = body.putObject(PARTITIONS);
    answered.forEach(partitions.putArray(ANSWERED)::add);
    partitions.put(ALL, all);
    return body;
  }

  /** Texts of quota keys are printable ASCII. */
  private static boolean isKeyText(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 127);
  }

  private static Ranking ranking(String word) {
    return Arrays.stream(Ranking.values())
        .filter(ranking -> ranking.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("must be used, throttled or demand: by=" + word));
  }
}
