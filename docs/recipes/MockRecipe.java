// Java: a session of the mock for each test. Start it with: npx api-mock run -- mvn test
// Run by test/recipes/languages.test.ts with the machine's JDK, without JUnit: api-mock run -- java MockRecipe.java
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class MockRecipe {
  /** A base URL whose limits, attempts, sequences and budgets are those of one test. With JUnit 5: TestInfo.getDisplayName(). */
  static String baseUrl(String test) {
    return System.getenv("API_MOCK_URL") + "/s/" + test.replaceAll("[^A-Za-z0-9_.~-]", "-") + "/v1";
  }

  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newHttpClient();
    for (int expected : new int[] {200, 200, 200, 429}) {
      var request = HttpRequest.newBuilder(URI.create(baseUrl("three calls per minute") + "/embeddings"))
          .header("Authorization", "Bearer " + System.getenv("OPENAI_API_KEY"))
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString("{\"model\": \"hash-1\", \"input\": \"hello\"}"))
          .build();
      int status = client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
      if (status != expected) throw new AssertionError("expected " + expected + ", got " + status);
    }
  }
}
