"""Gemini with Google Search: the grounded system under test."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from gate.errors import CallError, ConfigError, CredentialsError, ModelError
from gate.kit import Kit
from gate.models.card import GEMINI_NAME, ROAD_NAMES, Level, ModelCard, Road
from gate.models.connections import GoogleConnection
from gate.models.gemini import GeminiModel
from gate.models.grounding import named_model, read_answer
from gate.models.prices import worst_usd
from gate.models.thinking import gemini_thinking
from gate.types import Answer, Call, Question, TargetInfo, canonical, digest
from gate.wire.failures import failure_of

_NOT_FOUND = 404


class GeminiOptions(BaseModel):
    """Options of `use: gemini`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(pattern=GEMINI_NAME, description="The model that answers.")
    """Its name, such as `gemini-3.8-flash`; the vendor's path before it is taken off."""
    thinking_level: Level | None = Field(
        default=None, description="How much Gemini 3 and later think; the least without it."
    )
    """For Gemini 3 and later; the lowest level without it."""
    thinking_budget: int | None = Field(
        default=None, ge=-1, description="Tokens that Gemini 2.5 may think; the least without it."
    )
    """For Gemini 2.5; 0 is off where the model allows it, -1 lets it choose."""
    max_output_tokens: int = Field(
        default=8192, ge=1, description="Longest answer in tokens, thinking included."
    )
    """Longest answer in tokens, thinking included."""
    temperature: float | None = Field(
        default=None, ge=0, description="Sampling temperature; the vendor's default without it."
    )
    """Left to the vendor without it, as Google advises for Gemini 3 and later."""
    top_p: float | None = Field(default=None, ge=0, le=1, description="Nucleus sampling.")
    """Left to the vendor without it."""
    top_k: int | None = Field(default=None, ge=1, description="Sampling among the k likeliest.")
    """Left to the vendor without it."""
    seed: int | None = Field(default=None, description="Sampling seed; best effort of the vendor.")
    """Best effort of the vendor: answers still differ from run to run."""
    system_prompt: str | None = Field(default=None, description="The system prompt itself.")
    """The system prompt itself."""
    system_prompt_file: str | None = Field(
        default=None, description="A file with the system prompt, relative to the configuration."
    )
    """A file that holds it, relative to the configuration."""
    search: bool = Field(default=True, description="Whether it may search with Google.")
    """Whether Google Search is offered."""
    exclude_domains: tuple[str, ...] = Field(
        default=(), description="Domains that search leaves out; on Google Cloud only."
    )
    """Domains that search leaves out; on Google Cloud only."""


class GeminiTarget:
    """Asks Gemini, through the door, and reads its grounded answer."""

    Options = GeminiOptions
    candidate_owned = frozenset(GeminiOptions.model_fields)
    """Each of them shapes the answer, and none says where or as whom Gemini is reached."""

    def __init__(self, name: str, options: GeminiOptions, kit: Kit) -> None:
        """Check the options against the table of models.

        Raises ConfigError for what the model would refuse, ModelError for a retired model and
        FileError for a missing system prompt; nothing is sent.
        """
        self._name = name
        self._options = options
        self._kit = kit
        self._connection = kit.connections.google
        self._model = None if self._connection is None else GeminiModel(self._connection)
        self._card = self._answering()
        self._system = self._system_prompt()
        self._settings = self._request_settings()

    @property
    def info(self) -> TargetInfo:
        """Name, model and a digest of everything that shapes the answers."""
        return TargetInfo(
            name=self._name,
            use="gemini",
            model=self._options.model,
            family="gemini" if self._card is None else self._card.family,
            settings=digest(["gemini", self._options.model, self._settings]),
        )

    async def answer(self, question: Question, attempt: int) -> Answer:
        """Ask once. A blank answer is not asked again: how often that happens is measured.

        Raises ModelError when the vendor does not know the model, CredentialsError when nothing
        can be signed.
        """
        request: dict[str, JsonValue] = {**self._settings, "contents": _contents(question)}
        call = Call(
            kind="answer",
            vendor="google",
            model=self._options.model,
            request=request,
            attempt=attempt,
            scope=self._kit.run_id,
            case_id=question.id,
            target=self._name,
            reserve_usd=worst_usd(
                self._card,
                self._kit.catalogue.on,
                prompt=canonical(request),
                max_output_tokens=self._options.max_output_tokens,
                search=self._options.search,
                regional=self._regional,
            ),
        )

        async def send() -> JsonValue:
            if self._model is None:
                raise CredentialsError(
                    "no connection to Gemini: set GOOGLE_CLOUD_PROJECT or GEMINI_API_KEY"
                )
            return await self._model.generate(self._sent_name, request)

        try:
            reply = await self._kit.door.call(call, send, lambda body: self._read(body).cost_usd)
        except CallError as error:
            if error.status == _NOT_FOUND:
                raise ModelError(self._unknown_model()) from error
            return Answer(failure=failure_of(error))
        return self._read(reply.body).model_copy(
            update={"latency_s": reply.latency_s, "cached": reply.reused}
        )

    async def aclose(self) -> None:
        """Close the connections to Google."""
        if self._model is not None:
            await self._model.aclose()

    @property
    def _regional(self) -> bool:
        return self._connection is not None and self._connection.regional

    @property
    def _sent_name(self) -> str:
        return self._options.model.rsplit("/", 1)[-1]

    def _answering(self) -> ModelCard | None:
        """The card of the model that will answer. Raises ModelError for a retired one."""
        catalogue, model = self._kit.catalogue, self._options.model
        if self._connection is None:  # a replay: nothing is sent on any road
            return catalogue.card(model)
        catalogue.check_alive(model, self._connection.road)
        return catalogue.answering(model, self._connection.road)

    def _system_prompt(self) -> str | None:
        options = self._options
        if options.system_prompt_file is None:
            return options.system_prompt
        if options.system_prompt is not None:
            raise ConfigError(
                f"{self._name}: system_prompt and system_prompt_file exclude each other: keep one"
            )
        return self._kit.read_owned(options.system_prompt_file)

    def _request_settings(self) -> dict[str, JsonValue]:
        """The request's body without the question."""
        _check(self._name, self._options, self._card, self._connection)
        settings: dict[str, JsonValue] = {"generationConfig": self._generation()}
        if self._system:
            settings["systemInstruction"] = {"parts": [{"text": self._system}]}
        if self._options.search:
            excluded: list[JsonValue] = [*self._options.exclude_domains]
            settings["tools"] = [{"googleSearch": {"excludeDomains": excluded} if excluded else {}}]
        return settings

    def _generation(self) -> dict[str, JsonValue]:
        options = self._options
        thinking = gemini_thinking(
            self._card, options.model, options.thinking_level, options.thinking_budget
        )
        values: dict[str, JsonValue] = {
            "maxOutputTokens": options.max_output_tokens,
            "temperature": options.temperature,
            "topP": options.top_p,
            "topK": options.top_k,
            "seed": options.seed,
            "thinkingConfig": thinking or None,
        }
        return {key: value for key, value in values.items() if value is not None}

    def _read(self, body: JsonValue) -> Answer:
        named = named_model(body)
        catalogue = self._kit.catalogue
        return read_answer(
            body,
            model_asked=self._options.model,
            on=catalogue.on,
            card=(None if named is None else catalogue.card(named)) or self._card,
            search=self._options.search,
            regional=self._regional,
        )

    def _unknown_model(self) -> str:
        road: Road = "vertex" if self._connection is None else self._connection.road
        check = (
            "check that it is enabled in Model Garden for the project and offered in the location"
            if road == "vertex"
            else "check that the key's project may use it"
        )
        return (
            f"{ROAD_NAMES[road]} does not know {self._options.model} (404): check the spelling "
            f"and whether it was retired; {check}"
        )


def _check(
    name: str,
    options: GeminiOptions,
    card: ModelCard | None,
    connection: GoogleConnection | None,
) -> None:
    """Raise ConfigError for options that the vendor would refuse, whatever the thinking."""
    if card is not None and card.gemini is None:
        raise ConfigError(f"{name}: {options.model} is no Gemini model: name one that is")
    limit = None if card is None else card.max_output_tokens
    if limit is not None and options.max_output_tokens > limit:
        raise ConfigError(f"{name}: {options.model} gives {limit} output tokens at most: lower it")
    if not options.exclude_domains:
        return
    if not options.search:
        raise ConfigError(f"{name}: exclude_domains needs search: true")
    if connection is not None and connection.road == "key":
        raise ConfigError(
            f"{name}: exclude_domains exists on Google Cloud only: leave it out, or set "
            "GOOGLE_GENAI_USE_VERTEXAI=true"
        )


def _contents(question: Question) -> list[JsonValue]:
    """One user turn: texts handed over first, the question last; other JSON goes as text."""
    asked = question.input if isinstance(question.input, str) else canonical(question.input)
    parts: list[JsonValue] = [{"text": text} for text in (*question.context, asked)]
    return [{"role": "user", "parts": parts}]
