"""Prints the OpenAPI document of a service made with FastAPI. Runs in the environment that `install.sh` makes."""

# mypy: ignore-errors
# The framework is in that environment only.

import json
import sys
from enum import StrEnum
from typing import Annotated

from fastapi import FastAPI, Form, Header, Query, UploadFile
from pydantic import BaseModel, Field

app = FastAPI(title="Parcels", servers=[{"url": "https://parcels.example.com/v2"}])


class Speed(StrEnum):
    """How fast a parcel goes."""

    normal = "normal"
    express = "express"


class Address(BaseModel):
    street: str
    city: str = Field(description="Where the street is")
    country: str | None = None


class Parcel(BaseModel):
    sender: Address
    receiver: Address
    grams: int = Field(gt=0, description="Weight in grams")
    speed: Speed = Speed.normal
    parts: list["Parcel"] = []


class Receipt(BaseModel):
    id: str
    parcel: Parcel


@app.post("/parcels", tags=["parcels"])
def send_parcel(parcel: Parcel, x_request_id: Annotated[str | None, Header()] = None) -> Receipt:
    """Takes a parcel and answers its receipt."""


@app.get("/parcels/{parcel_id}", tags=["parcels"])
def track_parcel(parcel_id: str, verbose: bool = False) -> Receipt: ...


@app.get("/parcels", tags=["parcels"], deprecated=True)
def find_parcels(
    city: Annotated[list[str] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> list[Receipt]: ...


@app.post("/labels", tags=["labels"])
def upload_label(name: Annotated[str, Form()], file: UploadFile) -> dict[str, str]: ...


for number in range(200):
    app.get(f"/depots/{number}/parcels/{{parcel_id}}", operation_id=f"depot_{number}", tags=["depots"])(track_parcel)

sys.stdout.write(json.dumps(app.openapi()))
