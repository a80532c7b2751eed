package io.quotaenforcer.enforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.text.Figures;
import io.quotaenforcer.enforcer.text.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Deferred requests, put together from what several enforcers say. */
final class DeferredRows {
  private static final Comparator<JsonNode> ORDER =
      Comparator.comparing(request -> DeferredPlace.parse(request.path("place").asText()));

  private DeferredRows() {}

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
