// .NET with xUnit: a session of the mock for each test. Start it with: npx api-mock run -- dotnet test
// Not run here, because Debian has no package of the .NET SDK.
using System.Net.Http.Headers;
using System.Net.Http.Json;
using Xunit;

public class MockTests
{
    /// <summary>A base URL whose limits, attempts, sequences and budgets are those of one test.</summary>
    static string BaseUrl(string test) => $"{Environment.GetEnvironmentVariable("API_MOCK_URL")}/s/{test}/v1";

    [Fact]
    public async Task ThreeCallsPerMinute()
    {
        using var client = new HttpClient();
        var key = Environment.GetEnvironmentVariable("OPENAI_API_KEY");
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        foreach (var expected in new[] { 200, 200, 200, 429 })
        {
            var call = new { model = "hash-1", input = "hello" };
            var response = await client.PostAsJsonAsync($"{BaseUrl(nameof(ThreeCallsPerMinute))}/embeddings", call);
            Assert.Equal(expected, (int)response.StatusCode);
        }
    }
}
