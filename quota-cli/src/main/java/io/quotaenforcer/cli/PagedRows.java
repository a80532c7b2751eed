package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.query.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A list that enforcers answer page by page, each for its partitions.
 *
 * @param list field of an answer with the rows
 * @param place field of a row after which a list can be continued
 * @param order of the rows
 */
record PagedRows(String path, String list, String place, Comparator<JsonNode> order) {
  /**
   * Rows, and the enforcers' latest answer.
   *
   * @param page the findings; ends early if partitions are missing
   */
  record Listed(Page<JsonNode> page, PartitionsSource.Parts last) {}

  /** Reads as many pages as needed. */
  Listed read(PartitionsSource source, Map<String, String> question, int most)
      throws InterruptedException {
    Map<String, String> asked = new HashMap<>(question);
    List<JsonNode> rows = new ArrayList<>();
    while (true) {
      int left = Math.min(most - rows.size(), DeferredPaths.MAX_LIMIT);
      asked.put(DeferredPaths.LIMIT, Integer.toString(left));
      PartitionsSource.Parts answer = source.ask(path, asked);
      Page<JsonNode> page = merge(answer.parts(), left);
      rows.addAll(page.rows());
      if (!page.more()
          || page.rows().isEmpty()
          || rows.size() >= most
          || !answer.missing().isEmpty()) {
        return new Listed(new Page<>(rows, page.more()), answer);
      }
      asked.put(DeferredPaths.AFTER, placeOf(rows.get(rows.size() - 1)));
    }
  }

  String placeOf(JsonNode row) {
    return row.path(place).asText();
  }

  /** The first of all parts, in order. */
  Page<JsonNode> merge(List<JsonNode> parts, int most) {
    List<Page<JsonNode>> pages = new ArrayList<>();
    for (JsonNode part : parts) {
      List<JsonNode> rows = new ArrayList<>();
      part.path(list).forEach(rows::add);
      pages.add(new Page<>(rows, part.path("more").asBoolean()));
    }
    return Page.merge(pages, order, most);
  }
}
