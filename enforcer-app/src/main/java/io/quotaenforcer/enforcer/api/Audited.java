package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.enforcer.operations.OperationException;
import io.quotaenforcer.enforcer.query.NotReadyException;
import io.quotaenforcer.enforcer.rules.RulesException;
import io.quotaenforcer.server.access.Caller;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change, of which the audit topic has one record however it ends. A change that is made writes
 * its record itself, in the same transaction; what is refused or fails is recorded here, before it
 * is answered.
 *
 * @param target that a call is about; throws where the call does not tell
 */
record Audited(Action action, Function<ApiCall, String> target, Change change) implements Handler {
  private static final Logger log = LoggerFactory.getLogger(Audited.class);

  /** Makes the change and its record, or throws. */
  @FunctionalInterface
  interface Change {
    CompletableFuture<ApiAnswer> make(
        ApiCall call, ApiSources sources, Executor blocking, AuditDraft draft);
  }

  @Override
  public CompletableFuture<ApiAnswer> answer(ApiCall call, ApiSources sources, Executor blocking) {
    AuditDraft draft =
        AuditDraft.of(sources, call.caller(), call.address(), action, targetOf(call));
    CompletableFuture<ApiAnswer> made;
    try {
      made = change.make(call, sources, blocking, draft);
    } catch (RuntimeException e) {
      made = CompletableFuture.failedFuture(e);
    }
    return made.whenCompleteAsync(
        (answer, failure) -> {
          if (failure != null) {
            note(sources, draft, failure);
          } else {
            log.info("{} of {} by {}: done", action.word(), draft.what().target(), who(draft));
          }
        },
        blocking);
  }

  @Override
  public void turnedAway(
      Caller caller, String address, String path, Throwable why, ApiSources sources) {
    note(sources, AuditDraft.of(sources, caller, address, action, path), why);
  }

  private String targetOf(ApiCall call) {
    try {
      return target.apply(call);
    } catch (RuntimeException e) {
      return "";
    }
  }

  private void note(ApiSources sources, AuditDraft draft, Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    String reason = String.valueOf(failure.getMessage());
    boolean isRefusal = isRefusal(failure);
    log.info(
        "{} of {} by {}: {}, {}",
        action.word(),
        draft.what().target(),
        who(draft),
        isRefusal ? "refused" : "failed",
        reason);
    AuditRecord audit = isRefusal ? draft.refused(reason) : draft.failed(reason);
    try {
      sources.operations().note(audit);
    } catch (OperationException e) {
      log.warn("what was not changed is not in the audit topic: {}", e.getMessage());
    }
  }

  private static boolean isRefusal(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean isOfKafka =
        (cause instanceof OperationException || cause instanceof RulesException)
            && cause.getCause() != null;
    return failure instanceof IllegalArgumentException
        || failure instanceof NotReadyException
        || failure instanceof ApiProblem && !isOfKafka;
  }

  private static String who(AuditDraft draft) {
    return draft.who().name() + " at " + draft.who().address();
  }
}
