package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import java.util.Comparator;
import java.util.List;

/** Deferred requests, combined from the answers of several enforcers. */
final class DeferredRows {
  static final PagedRows LIST =
      new PagedRows(
          DeferredPaths.LIST,
          "requests",
          "place",
          Comparator.comparing(request -> DeferredPlace.parse(request.path("place").asText())));

  private DeferredRows() {}

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
