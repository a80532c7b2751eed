package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.server.JsonResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Rows of several answers in one. */
final class Rows {
  private static final String MORE = "more";
  private static final double THOUSAND = 1_000;

  private Rows() {}

  /** All rows of all answers. */
  static List<JsonNode> of(List<JsonNode> answers, String name) {
    List<JsonNode> rows = new ArrayList<>();
    answers.forEach(answer -> answer.path(name).forEach(rows::add));
    return rows;
  }

  /** The first of all rows; what follows is left out silently. */
  static ObjectNode first(List<JsonNode> rows, String name, Comparator<JsonNode> order, int most) {
    ObjectNode body = JsonResponse.object();
    ArrayNode list = body.putArray(name);
    rows.stream().sorted(order).limit(most).forEach(list::add);
    return body;
  }

  /** One page of pages in order, each of which says whether there is more. */
  static ObjectNode page(
      List<JsonNode> answers, String name, Comparator<JsonNode> order, int most) {
    List<Page<JsonNode>> pages =
        answers.stream()
            .map(answer -> new Page<>(of(List.of(answer), name), answer.path(MORE).asBoolean()))
            .toList();
    Page<JsonNode> merged = Page.merge(pages, order, most);
    ObjectNode body = JsonResponse.object();
    ArrayNode list = body.putArray(name);
    merged.rows().forEach(list::add);
    return body.put(MORE, merged.more());
  }

  static Comparator<JsonNode> byText(String field) {
    return Comparator.comparing(row -> row.path(field).asText());
  }

  static Comparator<JsonNode> byNumberFalling(String field) {
    return Comparator.<JsonNode>comparingDouble(row -> row.path(field).asDouble()).reversed();
  }

  /** To three places. */
  static double rounded(double number) {
    return Math.round(number * THOUSAND) / THOUSAND;
  }
}
