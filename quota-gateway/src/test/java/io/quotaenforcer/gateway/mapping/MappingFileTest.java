package io.quotaenforcer.gateway.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.rules.RuleProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MappingFileTest {
  private static final String GOOD =
      """
      client-address: {header: X-Forwarded-For, hops: 2}
      attributes:
        ip: "{client-address}"
        user: "{header:X-User}"
        api: "{method} {path}"
      """;

  @Test
  void file_givesTheAttributesOfARequest() {
    AttributeMapping mapping = ((MappingFile.Valid) MappingFile.parse("m.yaml", GOOD)).mapping();
    SentRequest sent =
        new SentRequest("GET", "/a")
            .header("X-Forwarded-For", "203.0.113.9, 198.51.100.1, 10.0.0.1")
            .header("X-User", "ann");

    Request request = mapping.request(sent.view(mapping));

    assertThat(request.attributes())
        .isEqualTo(Map.of("ip", "198.51.100.1", "user", "ann", "api", "GET /a"));
  }

  @Test
  void attribute_isLeftOut_whereTheRequestLacksIt() {
    AttributeMapping mapping = ((MappingFile.Valid) MappingFile.parse("m.yaml", GOOD)).mapping();

    Request request = mapping.request(new SentRequest("GET", "/a").view(mapping));

    assertThat(request.attributes()).doesNotContainKey("user").containsKey("api");
  }

  @Test
  void withoutAFile_thereAreAddressAndPath() {
    SentRequest sent =
        new SentRequest("GET", "/a;x=1/b").header("X-Forwarded-For", "6.6.6.6, 203.0.113.9");

    assertThat(AttributeMapping.DEFAULT.request(sent.view()).attributes())
        .isEqualTo(Map.of("ip", "203.0.113.9", "api", "GET /a/b", "method", "GET", "path", "/a/b"));
  }

  @Test
  void file_thatIsWrong_isRefusedWithEachPlace() {
    assertThat(
            problems(
                """
                client-adress: {header: X-Real-IP, hops: 1}
                attributes:
                  ip: "{client-adress}"
                  user: [a]
                """))
        .anyMatch(problem -> problem.contains("m.yaml:1:1") && problem.contains("client-address"))
        .anyMatch(problem -> problem.contains("m.yaml:3:7") && problem.contains("unknown part"))
        .anyMatch(problem -> problem.contains("m.yaml:4:9") && problem.contains("must be text"));
    assertThat(problems("client-address: {header: X-Real-IP, hops: 0}\nattributes: {}\n"))
        .anyMatch(problem -> problem.contains("hops must be between 1 and 32"))
        .anyMatch(problem -> problem.contains("attributes must be 1 to 32"));
    assertThat(problems("client-address: {header: X-Real-IP, hops: 1}\nattributes: {a: '{path}'}"))
        .anyMatch(problem -> problem.contains("X-Forwarded-For or Forwarded"));
    assertThat(problems("")).hasSize(1);
    assertThat(problems("attributes: 3")).hasSize(1);
  }

  @Test
  void file_thatIsNotThere_isRefused() {
    assertThat(MappingFile.load(Path.of("no/such/file")))
        .isInstanceOfSatisfying(
            MappingFile.Invalid.class,
            invalid ->
                assertThat(invalid.problems().get(0).toString()).contains("there is no such file"));
  }

  private static List<String> problems(String text) {
    return ((MappingFile.Invalid) MappingFile.parse("m.yaml", text))
        .problems().stream().map(RuleProblem::toString).toList();
  }
}
