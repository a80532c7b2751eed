package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import io.quotaenforcer.enforcer.api.Fleet.Told;
import io.quotaenforcer.server.access.Caller;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/** How a route is answered. */
@FunctionalInterface
interface Handler {
  /**
   * @param blocking runs what reads stores or topics
   */
  CompletableFuture<ApiAnswer> answer(ApiCall call, ApiSources sources, Executor blocking);

  /**
   * Hears of a request that was refused before it could be answered, though its caller is known.
   *
   * @param path of the request
   * @param why it was refused
   */
  default void turnedAway(
      Caller caller, String address, String path, Throwable why, ApiSources sources) {}

  /** By this enforcer alone. */
  static Handler here(BiFunction<ApiCall, ApiSources, ApiAnswer> answer) {
    return (call, sources, blocking) ->
        CompletableFuture.supplyAsync(() -> answer.apply(call, sources), blocking);
  }

  /**
   * By all enforcers, of which each tells what it knows itself. The answer says which did not.
   *
   * @param merge makes one answer of one or more
   */
  static Handler everywhere(
      Fleet fleet,
      BiFunction<ApiCall, ApiSources, ObjectNode> here,
      BiFunction<ApiCall, List<JsonNode>, ObjectNode> merge) {
    return (call, sources, blocking) ->
        CompletableFuture.supplyAsync(
                () -> {
                  ObjectNode own = here.apply(call, sources);
                  List<URI> all =
                      call.isOnlyHere() ? List.of() : sources.queries().enforcers().enforcers();
                  return new Begun(
                      own,
                      all.stream().filter(it -> !it.equals(sources.self().address())).toList());
                },
                blocking)
            .thenCompose(
                begun ->
                    fleet
                        .ask(
                            begun.others(),
                            call.headers().path(),
                            call.headers().get(HttpHeaderNames.AUTHORIZATION))
                        .thenApply(told -> together(call, begun.own(), told, merge)));
  }

  /** This enforcer's answer, and whom else to ask. */
  record Begun(ObjectNode own, List<URI> others) {}

  private static ApiAnswer together(
      ApiCall call,
      ObjectNode own,
      List<Told> told,
      BiFunction<ApiCall, List<JsonNode>, ObjectNode> merge) {
    List<JsonNode> answers = new ArrayList<>(List.of(own));
    told.forEach(one -> one.answer().ifPresent(answers::add));
    ObjectNode merged = merge.apply(call, answers);
    ArrayNode missing = merged.putArray("missing");
    told.stream()
        .filter(one -> one.answer().isEmpty())
        .forEach(
            one ->
                missing
                    .addObject()
                    .put("enforcer", one.enforcer().toString())
                    .put("why", one.why()));
    return ApiAnswer.of(merged);
  }
}
