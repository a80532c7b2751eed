package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Deferred requests, combined from the answers of several enforcers. */
final class DeferredRows {
  private static final Comparator<JsonNode> ORDER =
      Comparator.comparing(request -> DeferredPlace.parse(request.path("place").asText()));

  private DeferredRows() {}

  /**
   * Requests, and the enforcers' latest answer.
   *
   * @param page the findings; ends early if partitions are missing
   */
  record Listed(Page<JsonNode> page, DeferredSource.Parts last) {}

  /** Reads as many pages as needed. */
  static Listed list(DeferredSource source, Map<String, String> question, int most)
      throws InterruptedException {
    Map<String, String> asked = new HashMap<>(question);
    List<JsonNode> rows = new ArrayList<>();
    while (true) {
      int left = Math.min(most - rows.size(), DeferredPaths.MAX_LIMIT);
      asked.put(DeferredPaths.LIMIT, Integer.toString(left));
      DeferredSource.Parts answer = source.ask(DeferredPaths.LIST, asked);
      Page<JsonNode> page = merge(answer.parts(), left);
      rows.addAll(page.rows());
      if (!page.more()
          || page.rows().isEmpty()
          || rows.size() >= most
          || !answer.missing().isEmpty()) {
        return new Listed(new Page<>(rows, page.more()), answer);
      }
      asked.put(DeferredPaths.AFTER, rows.get(rows.size() - 1).path("place").asText());
    }
  }

  /** The first of all parts, in order. */
  static Page<JsonNode> merge(List<JsonNode> parts, int most) {
    List<Page<JsonNode>> pages = new ArrayList<>();
    for (JsonNode part : parts) {
      List<JsonNode> rows = new ArrayList<>();
      part.path("requests").forEach(rows::add);
      pages.add(new Page<>(rows, part.path("more").asBoolean()));
    }
    return Page.merge(pages, ORDER, most);
  }

  static TextTable table(List<JsonNode> requests) {
    TextTable table =
        TextTable.of(
            "ID", "STATE", "LANE", "COST", "BYTES", "DEFERRED AT", "DEADLINE", "QUOTA KEY");
    for (JsonNode request : requests) {
      table.row(
          request.path("id").asText(),
          request.path("state").asText(),
          request.path("lane").asText(),
          Figures.number(request.path("cost").asLong()),
          Figures.number(request.path("bytes").asLong()),
          request.path("deferredAt").asText(),
          request.path("deadline").asText("-"),
          request.path("quotaKey").asText());
    }
    return table;
  }
}
