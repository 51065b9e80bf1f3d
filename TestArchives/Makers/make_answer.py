#!/usr/bin/env python3
"""Makes the AccuWeather answers: top cities with the members that the service sends, and its error."""

import json
import sys

# Key, local name, English name, country ID, country (local, English)
CITIES = """
28143|ঢাকা|Dhaka|BD|বাংলাদেশ|Bangladesh
113487|Kinshasa|Kinshasa|CD|République Démocratique du Congo|Democratic Republic of the Congo
60449|Santiago|Santiago|CL|Chile|Chile
101924|北京市|Beijing|CN|中国|China
107487|Bogotá|Bogotá|CO|Colombia|Colombia
127164|القاهرة|Cairo|EG|مصر|Egypt
126995|አዲስ አበባ|Addis Ababa|ET|ኢትዮጵያ|Ethiopia
328328|London|London|GB|United Kingdom|United Kingdom
202396|दिल्ली|Delhi|IN|भारत|India
208971|Jakarta|Jakarta|ID|Indonesia|Indonesia
210841|تهران|Tehran|IR|ایران|Iran
206690|بغداد|Baghdad|IQ|العراق|Iraq
226396|東京|Tokyo|JP|日本|Japan
226081|서울특별시|Seoul|KR|대한민국|South Korea
242560|Ciudad de México|Mexico City|MX|México|Mexico
246105|Rabat|Rabat|MA|المغرب|Morocco
4607|Lagos|Lagos|NG|Nigeria|Nigeria
260622|لاہور|Lahore|PK|پاکستان|Pakistan
264885|Lima|Lima|PE|Perú|Peru
264873|Manila|Manila|PH|Pilipinas|Philippines
294021|Москва|Moscow|RU|Россия|Russia
297442|الرياض|Riyadh|SA|المملكة العربية السعودية|Saudi Arabia
300597|Singapore|Singapore|SG|Singapore|Singapore
305605|Johannesburg|Johannesburg|ZA|South Africa|South Africa
308526|Madrid|Madrid|ES|España|Spain
314929|臺北市|Taipei|TW|台灣|Taiwan
318849|กรุงเทพมหานคร|Bangkok|TH|ไทย|Thailand
318251|İstanbul|Istanbul|TR|Türkiye|Türkiye
324505|Київ|Kyiv|UA|Україна|Ukraine
349727|New York|New York|US|United States|United States
347625|Los Angeles|Los Angeles|US|United States|United States
348308|Chicago|Chicago|US|United States|United States
353412|Thành phố Hồ Chí Minh|Ho Chi Minh City|VN|Việt Nam|Vietnam
22889|Sydney|Sydney|AU|Australia|Australia
45449|São Paulo|São Paulo|BR|Brasil|Brazil
45881|Rio de Janeiro|Rio de Janeiro|BR|Brasil|Brazil
55488|Toronto|Toronto|CA|Canada|Canada
623|Paris|Paris|FR|France|France
178087|Berlin|Berlin|DE|Deutschland|Germany
182536|Αθήνα|Athens|GR|Ελλάδα|Greece
213490|Roma|Rome|IT|Italia|Italy
249758|Amsterdam|Amsterdam|NL|Nederland|Netherlands
254946|Oslo|Oslo|NO|Norge|Norway
274663|Warszawa|Warsaw|PL|Polska|Poland
314455|Stockholm|Stockholm|SE|Sverige|Sweden
316622|Zürich|Zurich|CH|Schweiz|Switzerland
207931|Dublin|Dublin|IE|Éire|Ireland
190390|Reykjavík|Reykjavík|IS|Ísland|Iceland
128846|København|Copenhagen|DK|Danmark|Denmark
133594|Helsinki|Helsinki|FI|Suomi|Finland
""".strip().splitlines()

TEXTS = ["Sunny", "Mostly sunny 🌤️", "Cloudy", "Light rain", "Fog", "Thunderstorms ⛈️", "Clear"]


def city(number, line):
    key, local, english, country, country_local, country_english = line.split("|")
    celsius = ((number * 37) % 451 - 120) / 10
    fahrenheit = float(round(celsius * 9 / 5 + 32))
    link = f"http://www.accuweather.com/en/{country.lower()}/{key}/current-weather/{key}?lang=en-us"
    return {
        "Key": key,
        "LocalizedName": local,
        "EnglishName": english,
        "Country": {
            "ID": country,
            "LocalizedName": country_local,
            "EnglishName": country_english,
        },
        "TimeZone": {
            "Code": "UTC",
            "Name": "Etc/UTC",
            "GmtOffset": 0.0,
            "IsDaylightSaving": False,
            "NextOffsetChange": None,
        },
        "GeoPosition": {
            "Latitude": number - 25.5,
            "Longitude": number * 3 - 70.25,
            "Elevation": {
                "Metric": {"Value": float(number), "Unit": "m", "UnitType": 5},
                "Imperial": {"Value": float(number * 3), "Unit": "ft", "UnitType": 0},
            },
        },
        "LocalObservationDateTime": "2019-04-06T12:45:00+00:00",
        "EpochTime": 1554554700 + number,
        "WeatherText": TEXTS[number % len(TEXTS)],
        "WeatherIcon": number % 44 + 1,
        "HasPrecipitation": number % 3 == 0,
        "PrecipitationType": "Rain" if number % 3 == 0 else None,
        "IsDayTime": number % 2 == 0,
        "Temperature": {
            "Metric": {"Value": celsius, "Unit": "C", "UnitType": 17},
            "Imperial": {"Value": fahrenheit, "Unit": "F", "UnitType": 18},
        },
        "MobileLink": link.replace("www", "m"),
        "Link": link,
    }


def write(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.write("\n")


def main(root):
    write(f"{root}/WeatherFeed/topcities.json", [city(n, line) for n, line in enumerate(CITIES)])
    error = {
        "Code": "Unauthorized",
        "Message": "Api Authorization failed",
        "Reference": "/currentconditions/v1/topcities/50",
    }
    write(f"{root}/WeatherFeed/error-unauthorized.json", error)


if __name__ == "__main__":
    main(sys.argv[1])
