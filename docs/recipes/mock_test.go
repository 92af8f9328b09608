// Go: a session of the mock for each test. Start it with: npx api-mock run -- go test ./...
// Run by test/recipes/languages.test.ts with Debian's golang-go.
package mock

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// BaseURL returns a base URL whose limits, attempts, sequences and budgets are those of this test alone.
func BaseURL(t *testing.T) string {
	session := regexp.MustCompile(`[^\w.~-]`).ReplaceAllString(t.Name(), "-")
	return os.Getenv("API_MOCK_URL") + "/s/" + session + "/v1"
}

func TestThreeCallsPerMinute(t *testing.T) {
	for call, want := range []int{200, 200, 200, 429} {
		body := strings.NewReader(`{"model": "hash-1", "input": "hello"}`)
		request, _ := http.NewRequest("POST", BaseURL(t)+"/embeddings", body)
		request.Header.Set("Authorization", "Bearer "+os.Getenv("OPENAI_API_KEY"))
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Fatalf("call %d: expected %d, got %d", call, want, response.StatusCode)
		}
	}
}
