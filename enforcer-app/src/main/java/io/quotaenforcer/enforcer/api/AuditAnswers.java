package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.enforcer.operations.Operations.Audited;
import io.quotaenforcer.enforcer.operations.Operations.Found;
import io.quotaenforcer.server.JsonResponse;
import java.util.Locale;

/** What operators changed, or tried to. */
final class AuditAnswers {
  private AuditAnswers() {}

  static ApiAnswer list(ApiCall call, ApiSources sources) {
    Found<Audited> found =
        OperatorChanges.asked(
            () ->
                sources
                    .operations()
                    .audit(call.parameters().text(ChangeRoutes.BEFORE), call.limit()));
    ObjectNode body = JsonResponse.object();
    ArrayNode rows = body.putArray("changes");
    for (Audited each : found.rows()) {
      ObjectNode row = rows.addObject().put("place", each.place());
      if (each instanceof Audited.Readable readable) {
        put(row, readable.audit());
      } else {
        row.put("unreadable", ((Audited.Unreadable) each).reason());
      }
    }
    found.next().ifPresent(next -> body.put("next", next));
    return ApiAnswer.of(body);
  }

  private static void put(ObjectNode row, AuditRecord audit) {
    row.put("at", LetterJson.time(audit.atMillis()))
        .put("caller", audit.who().name())
        .put("role", audit.who().role())
        .put("address", audit.who().address())
        .put("action", audit.what().action())
        .put("target", audit.what().target())
        .put("outcome", audit.result().outcome().name().toLowerCase(Locale.ROOT));
    if (!audit.result().reason().isEmpty()) {
      row.put("reason", audit.result().reason());
    }
    AuditRecord.Change change = audit.result().change();
    change.before().ifPresent(version -> row.put("versionBefore", version));
    change.after().ifPresent(version -> row.put("versionAfter", version));
    change.count().ifPresent(count -> row.put("count", count));
  }
}
