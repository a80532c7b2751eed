package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.operations.OperationException;
import io.quotaenforcer.enforcer.operations.RequestChange;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What answers the routes of changes, and of what is changed by them. */
final class OperatorChanges {
  private OperatorChanges() {}

  static Map<ApiRoute, Handler> handlers(Fleet fleet, RuleChanges rules) {
    Handler shown = Handler.everywhere(fleet, DeferredAnswers::shown, DeferredAnswers::mergeShown);
    Handler queues =
        Handler.everywhere(fleet, DeferredAnswers::byRule, DeferredAnswers::mergeRules);
    QueueChanges changes = new QueueChanges(shown, queues);
    PenaltyAnswers penalties = new PenaltyAnswers(new ShownKey(fleet));
    Map<ApiRoute, Handler> handlers = new HashMap<>();
    handlers.put(ChangeRoutes.DEFERRED_SHOWN, shown);
    handlers.put(
        ChangeRoutes.PENALTIES,
        Handler.everywhere(fleet, PenaltyAnswers::here, PenaltyAnswers::merge));
    handlers.put(ChangeRoutes.LETTERS, Handler.here(LetterAnswers::list));
    handlers.put(ChangeRoutes.LETTER_REASONS, Handler.here(LetterAnswers::reasons));
    handlers.put(ChangeRoutes.AUDIT, Handler.here(AuditAnswers::list));
    handlers.put(
        ApiRoutes.PUT_RULE, new Audited(Action.RULE_PUT, RuleAnswers::target, here(rules::put)));
    handlers.put(
        ApiRoutes.PUT_DOMAIN,
        new Audited(Action.RULES_PUT, RuleAnswers::domain, here(rules::putDomain)));
    handlers.put(
        ApiRoutes.PUT_MODE,
        new Audited(Action.RULE_MODE, RuleAnswers::target, here(rules::putMode)));
    handlers.put(
        ChangeRoutes.CANCEL,
        new Audited(
            Action.DEFERRED_CANCEL, QueueChanges::request, changes.one(RequestChange::cancel)));
    handlers.put(
        ChangeRoutes.RELEASE,
        new Audited(
            Action.DEFERRED_RELEASE,
            QueueChanges::request,
            changes.one(reason -> RequestChange.release())));
    handlers.put(
        ChangeRoutes.PURGE,
        new Audited(
            Action.DEFERRED_PURGE, call -> QueueChanges.scope(call).text(), changes::purge));
    handlers.put(
        ChangeRoutes.LIFT,
        new Audited(Action.PENALTY_LIFT, PenaltyAnswers::target, penalties::lift));
    handlers.put(
        ChangeRoutes.REDRIVE,
        new Audited(
            Action.DEAD_LETTERS_REDRIVE, LetterAnswers::places, here(LetterAnswers::redrive)));
    return handlers;
  }

  /** A change that this enforcer makes alone. */
  private interface Alone {
    ApiAnswer make(ApiCall call, ApiSources sources, AuditDraft draft);
  }

  private static Audited.Change here(Alone change) {
    return (call, sources, blocking, draft) ->
        CompletableFuture.supplyAsync(() -> change.make(call, sources, draft), blocking);
  }

  /** What Kafka was asked for; throws an {@link ApiProblem} where it was not done. */
  static <T> T asked(Supplier<T> task) {
    try {
      return task.get();
    } catch (OperationException.Busy e) {
      throw new ApiProblem(Kind.BUSY, String.valueOf(e.getMessage()), e);
    } catch (OperationException e) {
      throw new ApiProblem(Kind.NOT_DONE, String.valueOf(e.getMessage()), e);
    }
  }
}
