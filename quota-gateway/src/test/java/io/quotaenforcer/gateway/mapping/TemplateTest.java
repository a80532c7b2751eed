package io.quotaenforcer.gateway.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
  private static final SentRequest REQUEST =
      new SentRequest("POST", "/v1//users/%34%32/../43/")
          .query("tenant=a%20b&empty=&tenant=second")
          .header("Host", "shop.example")
          .header("X-User", "ann");

  @ParameterizedTest
  @CsvSource({
    "{method} {path},POST /v1/users/43",
    "{host},shop.example",
    "{header:X-User},ann",
    "{query:tenant},a b",
    "{segment:1},v1",
    "{segment:3},43",
    "{client-address},192.0.2.7",
    "api-{segment:2}!,api-users!"
  })
  void value_isMadeOfTheRequestsParts(String template, String value) {
    assertThat(Template.parse(template).of(REQUEST.view())).contains(value);
  }

  @ParameterizedTest
  @CsvSource({"{query:empty}", "{query:none}", "{header:X-None}", "{segment:4}", "a-{segment:9}"})
  void value_isMissing_whereTheRequestLacksAPart(String template) {
    assertThat(Template.parse(template).of(REQUEST.view())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"%zz=1&a=b", "=&&a=b", "%=x&a=b&a=c"})
  void query_thatIsBroken_isReadAsFarAsItCanBe(String query) {
    assertThat(Template.parse("{query:a}").of(new SentRequest("GET", "/").query(query).view()))
        .contains("b");
  }

  @Test
  void value_isCut_notInTheMiddleOfACharacter() {
    SentRequest sent =
        new SentRequest("GET", "/").header("X-User", "x".repeat(255) + "\ud83d\ude00" + "y");

    Optional<String> value = Template.parse("{header:X-User}").of(sent.view());

    assertThat(value).contains("x".repeat(255));
  }

  @ParameterizedTest
  @CsvSource({
    "{pth},did you mean {path}?",
    "{header:},unknown part",
    "{header: X-User},no request can have: {header: X-User}",
    "{header:X-User },no request can have",
    "{header:X User},no request can have",
    "{header:X:User},no request can have",
    "{header:\u00dcser},no request can have",
    "{query: tenant},blank before or after a name: {query: tenant}",
    "{query:tenant },blank before or after a name",
    "{query: },blank before or after a name",
    "{segment:0},no number from 1 to 99",
    "{segment:x},no number from 1 to 99",
    "{path,has a { without }",
    "path},has a } without {",
    "'',must not be empty"
  })
  void template_thatIsWrong_isRefusedWithWhatToWrite(String template, String message) {
    assertThatThrownBy(() -> Template.parse(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
