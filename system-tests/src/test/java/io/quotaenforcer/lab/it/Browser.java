package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoublePredicate;
import java.util.logging.Level;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Chromium without a window, that looks at the console as a person does. */
final class Browser implements AutoCloseable {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int VIEWS = 3;
  private static final Dimension DESK = new Dimension(1200, 900);
  private static final Dimension PHONE = new Dimension(500, 900);

  /** Environment variable with the folder for pictures: set it to renew those of the docs. */
  private static final String PICTURES = "QUOTA_CONSOLE_PICTURES";

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Skips the test where there is no Chromium, which fails it where it must be there. */
  static void require() {
    boolean isThere = Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
    String missing = "skipped: needs Debian's chromium and chromium-driver";
    if ("true".equals(System.getenv("CI")) && !isThere) {
      Assertions.fail(missing);
    }
    if (!isThere) {
      System.err.println(missing);
    }
    Assumptions.assumeTrue(isThere, missing);
  }

  static Browser open(String address) {
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.WARNING);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage");
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    Browser browser = new Browser(new ChromeDriver(service, options));
    browser.driver.manage().window().setSize(DESK);
    browser.driver.get(address);
    return browser;
  }

  /**
   * From a navigation to the first content that is painted, with nothing kept from before: the
   * least of some, as other tests have the machine, too.
   */
  long millisToFirstView() {
    driver.executeCdpCommand("Network.enable", Map.of());
    driver.executeCdpCommand("Network.setCacheDisabled", Map.of("cacheDisabled", true));
    long least = Long.MAX_VALUE;
    for (int i = 0; i < VIEWS; i++) {
      driver.navigate().refresh();
      awaitText("h1", "Sign in");
      Object millis =
          driver.executeScript(
              "return Math.round(performance.getEntriesByName('first-contentful-paint')[0]"
                  + "?.startTime ?? 1e6)");
      least = Math.min(least, ((Number) millis).longValue());
    }
    return least;
  }

  void signIn(String token) {
    awaitText("h1", "Sign in");
    fill("token", token);
    press("Sign in");
  }

  /** The text of all elements that a selector finds. */
  String text(String selector) {
    try {
      return String.join(
          "\n",
          driver.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList());
    } catch (StaleElementReferenceException e) {
      return "";
    }
  }

  /** The first cells of each row of a table. */
  List<String> rows(String caption, int cells) {
    Object rows =
        driver.executeScript(
            "return [...document.querySelectorAll('[aria-label=\"' + arguments[0] + '\"] tbody tr')]"
                + ".map(row => [...row.cells].slice(0, arguments[1])"
                + ".map(cell => cell.textContent).filter(text => text).join(' '))",
            caption,
            cells);
    return ((List<?>) rows).stream().map(String::valueOf).toList();
  }

  void awaitText(String selector, String part) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(text(selector)).as(selector).contains(part));
  }

  /** Waits for a number of the overview. */
  void awaitNumber(String name, DoublePredicate wanted) {
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              String value =
                  (String)
                      driver.executeScript(
                          "return [...document.querySelectorAll('.tiles div')].find(one =>"
                              + " one.firstChild.textContent === arguments[0])"
                              + "?.lastChild.textContent ?? ''",
                          name);
              String digits = value.replace(",", "");
              return digits.matches("[0-9.]+") && wanted.test(Double.parseDouble(digits));
            });
  }

  void awaitShown(String selector) {
    await()
        .atMost(TIMEOUT)
        .until(
            () ->
                driver.findElements(By.cssSelector(selector)).stream()
                    .anyMatch(WebElement::isDisplayed));
  }

  int count(String selector) {
    return driver.findElements(By.cssSelector(selector)).size();
  }

  /**
   * Clicks a link until the browser is where it leads: a page that shows itself anew may replace it
   * meanwhile, and the click is lost.
   */
  void follow(String text) {
    AtomicReference<String> target = new AtomicReference<>("");
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(
            () -> {
              if (driver.getCurrentUrl().equals(target.get())) {
                return true;
              }
              WebElement link = driver.findElement(By.linkText(text));
              target.set(link.getDomProperty("href"));
              link.click();
              return false;
            });
  }

  void press(String button) {
    click(byButton(button));
  }

  void pressLabelled(String label) {
    click(By.cssSelector("button[aria-label='" + label + "']"));
  }

  /** Ticks the first box of the page. */
  void tickFirst() {
    click(By.cssSelector("main input[type=checkbox]"));
  }

  boolean isEnabled(String button) {
    return driver.findElement(byButton(button)).isEnabled();
  }

  private static By byButton(String text) {
    return By.xpath("//button[normalize-space()='" + text + "']");
  }

  private void click(By what) {
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(
            () -> {
              driver.findElement(what).click();
              return true;
            });
  }

  void fill(String name, String text) {
    WebElement input = driver.findElement(By.name(name));
    input.clear();
    input.sendKeys(text);
  }

  /** Edits the rule file as typing does. */
  void replaceInFile(String before, String after) {
    ((JavascriptExecutor) driver)
        .executeScript(
            "const t = document.querySelector('textarea');"
                + "if (!t.value.includes(arguments[0])) throw new Error(t.value);"
                + "t.value = t.value.replace(arguments[0], arguments[1]);"
                + "t.dispatchEvent(new Event('input', {bubbles: true}))",
            before,
            after);
  }

  /** Writes the whole rule file. */
  void writeFile(String text) {
    driver.executeScript(
        "const t = document.querySelector('textarea'); t.value = arguments[0];"
            + "t.dispatchEvent(new Event('input', {bubbles: true}))",
        text);
  }

  /** How often a path was asked for since the page was loaded. */
  long requests(String path) {
    Object count =
        driver.executeScript(
            "return performance.getEntriesByType('resource')"
                + ".filter(one => new URL(one.name).pathname === arguments[0]).length",
            path);
    return ((Number) count).longValue();
  }

  void narrow() {
    driver.manage().window().setSize(PHONE);
  }

  void scrollTo(String selector) {
    driver.executeScript(
        "document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector);
  }

  /** Keeps a picture, if they are wanted. */
  void picture(String name) {
    String folder = System.getenv().getOrDefault(PICTURES, "");
    if (folder.isEmpty()) {
      return;
    }
    File shot = driver.getScreenshotAs(OutputType.FILE);
    try {
      Files.createDirectories(Path.of(folder));
      Files.copy(
          shot.toPath(), Path.of(folder, name + ".png"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Warnings and errors of the browser, as of a file that the policy of the page forbids. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(entry -> entry.getMessage())
        .filter(message -> !message.contains("401"))
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
