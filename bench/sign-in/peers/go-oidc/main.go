// Go's net/http with coreos/go-oidc, golang.org/x/oauth2 and pgx. The data of a sign-in attempt is in a signed cookie.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/oauth2"
)

const tables = `create table if not exists person (id bigserial primary key, subject text unique not null,
    name text, email text, last_login_at timestamptz not null);
  create table if not exists login_session (sid text primary key, person_id bigint not null references person,
    cookie_hash text, refresh_token text, opened_at timestamptz not null, expires_at timestamptz not null)`

const storePerson = `insert into person (subject, name, email, last_login_at) values ($1, $2, $3, now())
  on conflict (subject) do update set name = $2, email = $3, last_login_at = now() returning id`

const storeSession = `insert into login_session (sid, person_id, cookie_hash, opened_at, expires_at)
  values ($1, $2, $3, now(), now() + interval '12 hours')`

type attempt struct{ State, Nonce, Verifier string }

func randomText() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	publicURL, clientID := os.Getenv("PUBLIC_URL"), os.Getenv("OIDC_CLIENT_ID")
	secret := []byte(os.Getenv("SECRET_KEY"))
	pool := must(pgxpool.New(ctx, os.Getenv("DATABASE_URL")))
	must(pool.Exec(ctx, tables))
	provider := must(oidc.NewProvider(ctx, os.Getenv("OIDC_ISSUER")))
	verifier := provider.Verifier(&oidc.Config{ClientID: clientID})
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: os.Getenv("OIDC_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  publicURL + "/auth/login/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	signer := must(jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithType("at+jwt")))

	mac := func(text string) string {
		hash := hmac.New(sha256.New, secret)
		hash.Write([]byte(text))
		return base64.RawURLEncoding.EncodeToString(hash.Sum(nil))
	}

	http.HandleFunc("/health/ready", func(w http.ResponseWriter, r *http.Request) {})
	http.HandleFunc("/auth/login", func(w http.ResponseWriter, r *http.Request) {
		a := attempt{randomText(), randomText(), oauth2.GenerateVerifier()}
		text := base64.RawURLEncoding.EncodeToString(must(json.Marshal(a)))
		http.SetCookie(w, &http.Cookie{Name: "attempt", Value: text + "." + mac(text), Path: "/", HttpOnly: true, MaxAge: 600})
		http.Redirect(w, r, config.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), http.StatusFound)
	})
	http.HandleFunc("/auth/login/callback", func(w http.ResponseWriter, r *http.Request) {
		refuse := func(why string) { http.Error(w, why, http.StatusBadRequest) }
		cookie, err := r.Cookie("attempt")
		if err != nil {
			refuse("no attempt")
			return
		}
		text, sent, _ := strings.Cut(cookie.Value, ".")
		bytes, err := base64.RawURLEncoding.DecodeString(text)
		var a attempt
		if err != nil || !hmac.Equal([]byte(sent), []byte(mac(text))) || json.Unmarshal(bytes, &a) != nil || r.URL.Query().Get("state") != a.State {
			refuse("the attempt does not match")
			return
		}
		token, err := config.Exchange(r.Context(), r.URL.Query().Get("code"), oauth2.VerifierOption(a.Verifier))
		if err != nil {
			refuse(err.Error())
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil || idToken.Nonce != a.Nonce {
			refuse("the ID token is not right")
			return
		}
		info, err := provider.UserInfo(r.Context(), oauth2.StaticTokenSource(token))
		var profile struct{ Name string }
		if err != nil || info.Subject != idToken.Subject || info.Claims(&profile) != nil {
			refuse("userinfo is not right")
			return
		}
		var person int64
		if err := pool.QueryRow(r.Context(), storePerson, info.Subject, profile.Name, info.Email).Scan(&person); err != nil {
			refuse(err.Error())
			return
		}
		sid, session := randomText(), randomText()
		hash := sha256.Sum256([]byte(session))
		if _, err := pool.Exec(r.Context(), storeSession, sid, person, hex.EncodeToString(hash[:])); err != nil {
			refuse(err.Error())
			return
		}
		now := time.Now().Unix()
		claims := must(json.Marshal(map[string]any{"iss": publicURL, "aud": publicURL, "sub": info.Subject, "sid": sid,
			"roles": []string{"EMPLOYEE"}, "iat": now, "exp": now + 3600}))
		accessToken := must(must(signer.Sign(claims)).CompactSerialize())
		http.SetCookie(w, &http.Cookie{Name: "session", Value: session, Path: "/", HttpOnly: true})
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"accessToken": accessToken, "expirationInSeconds": 3600})
	})
	http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil)
}
