# pytest: a session of the mock for each test. Start it with: npx api-mock run -- pytest
# Run by test/recipes/languages.test.ts with Debian's python3-pytest.
import os, re
import pytest

@pytest.fixture(autouse=True)
def openai_base_url(request, monkeypatch):
    """Each test has its own limits, attempts, sequences and budgets, also when tests run at the same time."""
    session = re.sub(r"[^A-Za-z0-9_.~-]", "-", request.node.nodeid)[-128:]
    if "API_MOCK_URL" not in os.environ:
        pytest.exit("No mock is running. Start the tests with: npx api-mock run -- pytest")
    base_url = f"{os.environ['API_MOCK_URL']}/s/{session}/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", base_url)
    return base_url
