package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.server.JsonResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API as an OpenAPI 3 document, made of its routes. */
public final class OpenApi {
  private static final Pattern IN_PATH = Pattern.compile("\\{(\\w+)}");
  private static final String TOKEN = "token";
  private static final String DESCRIPTION = "description";
  private static final String SCHEMA = "schema";
  private static final String TYPE = "type";
  private static final String ERROR = "Error";
  private static final String JSON = "application/json";

  private OpenApi() {}

  public static ObjectNode document() {
    ObjectNode root = JsonResponse.object().put("openapi", "3.0.3");
    root.putObject("info")
        .put("title", "Quota enforcer: API for operators")
        .put("version", "1")
        .put(
            DESCRIPTION,
            "Any enforcer answers for all of them. Callers send a token of http.api.tokens.file.");
    ObjectNode paths = root.putObject("paths");
    for (ApiRoute route : ApiRoutes.ALL) {
      ObjectNode path =
          paths.has(route.path())
              ? (ObjectNode) paths.path(route.path())
              : paths.putObject(route.path());
      put(path.putObject(route.method().name().toLowerCase(Locale.ROOT)), route);
    }
    ObjectNode components = root.putObject("components");
    components
        .putObject("securitySchemes")
        .putObject(TOKEN)
        .put(TYPE, "http")
        .put("scheme", "bearer");
    ObjectNode error = components.putObject("schemas").putObject(ERROR).put(TYPE, "object");
    ObjectNode fields = error.putObject("properties");
    fields.putObject("error").put(TYPE, "string").put(DESCRIPTION, "Why, and what to do.");
    ArrayNode categories = fields.putObject("category").put(TYPE, "string").putArray("enum");
    for (ApiProblem.Kind kind : ApiProblem.Kind.values()) {
      categories.add(kind.word());
    }
    root.putArray("security").addObject().putArray(TOKEN);
    return root;
  }

  /** What may go wrong: category, status, and what to do. */
  public static List<List<String>> errors() {
    List<List<String>> rows = new ArrayList<>();
    for (ApiProblem.Kind kind : ApiProblem.Kind.values()) {
      rows.add(List.of(kind.word(), Integer.toString(kind.status().code()), kind.doc()));
    }
    return rows;
  }

  private static void put(ObjectNode operation, ApiRoute route) {
    operation.put("summary", route.doc());
    if (route.role().isPresent()) {
      operation.put("x-role", route.role().get().word());
    } else {
      operation.putArray("security");
    }
    ArrayNode parameters = operation.putArray("parameters");
    Matcher inPath = IN_PATH.matcher(route.path());
    while (inPath.find()) {
      put(parameters.addObject(), "path", ApiField.text(inPath.group(1), "Of the rule."));
    }
    route.query().forEach(field -> put(parameters.addObject(), "query", field));
    route
        .body()
        .ifPresent(
            body ->
                operation
                    .putObject("requestBody")
                    .put("required", true)
                    .put(DESCRIPTION, body.doc())
                    .putObject("content")
                    .putObject(body.type().nameWithoutParameters())
                    .putObject(SCHEMA)
                    .put(TYPE, isJson(body) ? "object" : "string"));
    ObjectNode responses = operation.putObject("responses");
    ObjectNode answer = schema(responses.putObject("200").put(DESCRIPTION, "Done."), type(route));
    answer.put(TYPE, "object");
    ArrayNode required = JsonResponse.object().arrayNode();
    ObjectNode fields = answer.putObject("properties");
    for (ApiField field : route.answer()) {
      ObjectNode property =
          fields.putObject(field.name()).put(TYPE, field.type()).put(DESCRIPTION, field.doc());
      if (field.type().equals("array")) {
        property.putObject("items");
      }
      if (field.required()) {
        required.add(field.name());
      }
    }
    answer.set("required", required);
    schema(responses.putObject("default").put(DESCRIPTION, "Not done."), JSON)
        .put("$ref", "#/components/schemas/" + ERROR);
  }

  private static void put(ObjectNode parameter, String in, ApiField field) {
    parameter
        .put("name", field.name())
        .put("in", in)
        .put("required", field.required())
        .put(DESCRIPTION, field.doc())
        .putObject(SCHEMA)
        .put(TYPE, field.type());
  }

  private static boolean isJson(ApiRoute.Body body) {
    return body.type().nameWithoutParameters().equals(JSON);
  }

  private static String type(ApiRoute route) {
    return route.reply() == ApiRoute.Reply.EVENTS ? "text/event-stream" : JSON;
  }

  private static ObjectNode schema(ObjectNode response, String type) {
    return response.putObject("content").putObject(type).putObject(SCHEMA);
  }
}
